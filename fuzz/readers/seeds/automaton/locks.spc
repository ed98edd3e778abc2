OBSERVER AUTOMATON locks
LOCAL int held = 0;
INITIAL STATE free;
STATE USEFIRST free :
  MATCH {lock($?)} -> DO held = held + 1 GOTO taken;
  MATCH {unlock($1)} -> ERROR("unlock($1) without lock");
STATE USEALL taken :
  MATCH [.*lock.*] && held == 1 -> ASSERT held == 1 ASSUME {x > 0; y == 'a'} GOTO taken;
  !MATCH LABEL "end" || MATCH ENTRY -> STOP;
TARGET STATE bad :
  TRUE -> GOTO bad;
END AUTOMATON
