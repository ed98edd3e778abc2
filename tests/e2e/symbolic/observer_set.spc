OBSERVER AUTOMATON mutexes

LOCAL set<string> taken = [&first];
LOCAL set<int> never;

INITIAL STATE run;

STATE USEALL run :
  MATCH {take($1)} -> ASSUME {$$taken[$1]} ERROR("$1 is taken twice");
  MATCH {take($1)} -> DO taken[$1] = true GOTO run;
  MATCH {drop($1)} -> ASSUME {!$$taken[$1]} ERROR("$1 is not taken");
  MATCH {drop($1)} -> ASSUME {!$$taken[$1]; !$$never[$1]} DO taken[$1]=FALSE GOTO run;
  MATCH {ended()} -> ASSUME {!$$taken.empty} ERROR("some are left");
  MATCH {ended()} -> ASSUME {$$taken.empty} GOTO end;

STATE USEFIRST end :
  taken == 0 && !CHECK(AutomatonAnalysis_mutexes2, "state == odd") && MATCH {again()} -> GOTO run;
  MATCH {again()} -> ERROR("not again");

END AUTOMATON

OBSERVER AUTOMATON mutexes2
INITIAL STATE even;
STATE USEFIRST even : MATCH {again()} -> GOTO odd;
STATE USEFIRST odd : MATCH {again()} -> GOTO even;
END AUTOMATON
