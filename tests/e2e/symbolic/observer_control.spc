CONTROL AUTOMATON control

INITIAL STATE start;

STATE USEFIRST start :
  MATCH {n = $?} -> ASSUME {n < 10} GOTO read;
  MATCH {stop()} -> STOP;

STATE USEFIRST read :
  MATCH {stop()} -> STOP;

END AUTOMATON
