OBSERVER AUTOMATON files

LOCAL int open = 0;

INITIAL STATE running;

STATE USEALL running :
  // either the handle is good, or there is none
  MATCH {$1 = opened($?)} -> ASSUME {$1 >= 0} DO open = open + 1 GOTO running;
  MATCH {$1 = opened($?)} -> ASSUME {$1 < 0} GOTO running;
  MATCH {take($?)} && open == 0 -> ERROR("take without a file");
  MATCH {done($?)} && open == 0 -> ERROR("done without a file");
  MATCH {done($?)} && open != 0 -> DO open = open - 1 GOTO running;
  MATCH EXIT && open != 0 -> ERROR("a file is left open");

END AUTOMATON
