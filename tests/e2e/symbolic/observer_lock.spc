// Each lock is given back before it is taken again.
OBSERVER AUTOMATON locks

INITIAL STATE free;

STATE USEFIRST free :
  MATCH {lock($?)} -> GOTO taken;
  MATCH {unlock($1)} -> ERROR("unlock($1) without a lock");

STATE USEFIRST taken :
  MATCH {lock($1)} -> ERROR("lock($1) twice");
  MATCH FUNCTIONCALL "unlock" -> GOTO free;

END AUTOMATON
