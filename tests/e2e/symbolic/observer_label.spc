OBSERVER AUTOMATON labels
INITIAL STATE start;
STATE USEFIRST start :
  MATCH "mode = 1;" -> GOTO set;
STATE USEFIRST set :
  MATCH LABEL "failed" -> ERROR("the label is reached with mode 1");
  MATCH "[!mode]" -> ERROR("the loop runs");
  MATCH "mode = 3;" -> GOTO bad;
  MATCH "[n == 5]" -> GOTO five;
STATE USEFIRST five :
  MATCH [mode *= *[4-9\]+;] -> ERROR;
TARGET STATE bad :
END AUTOMATON

// A second one in the same file.
OBSERVER AUTOMATON ends
INITIAL STATE start;
STATE USEFIRST start :
  MATCH ENTRY -> GOTO entered;
STATE USEFIRST entered :
  MATCH {return $?} -> GOTO over;
  MATCH EXIT -> ERROR("no return");
STATE USEFIRST over :
  MATCH {$? = $?} -> ERROR("something after the end");
END AUTOMATON
