CONTROL AUTOMATON values

LOCAL int line = 0;

INITIAL STATE run;

STATE USEFIRST run :
  MATCH {check($?)} && !CHECK(location, "functionName==main") -> ERROR("check in another function");
  MATCH {check($1)} && !CHECK(IntervalAnalysis, "0<=limit<=9") -> ERROR("the limit is $1");
  MATCH {check(7)} -> DO line = EVAL(location, "lineno") GOTO seven;
  MATCH {leave()} -> BREAK;

STATE USEFIRST seven :
  MATCH {k = $1} && CHECK(ValueAnalysis, "main::k==$1") -> ASSERT $line != line + 3 GOTO run;
  MATCH {k = $?} -> ERROR("k has another value");
  COVERS_LINES(41 42) -> ERROR("line $location");

END AUTOMATON

CONTROL AUTOMATON guide
INITIAL STATE any;
STATE USEFIRST any :
  CHECK(AutomatonAnalysis_values, "state == run") && CHECK(AutomatonAnalysis_values, "line == 99") -> STOP;
END AUTOMATON
