ASSERT MATCH ASSERT == FALSE;
CONTROL AUTOMATON all
LOCAL set<string> s = [ a b, &c]; LOCAL set<int> i=[1,-2]; LOCAL int v;
INITIAL STATE t;
STATE USEFIRST t :
  CHECK(location, "line==3") || CHECK(B("x")) && CHECK("y") -> DO s[$1]=TRUE DO v=$1 GOTO t;
  CHECK(IS_TARGET_STATE) && $line + EVAL(location, "lineno") != EVAL(V("x")) ->
    PRINT "a" EVAL(B, "q") v + 1 PRINTONCE MODIFY(V, "m") MODIFY(V("n")) BREAK;
  COVERS_LINES(13 16) || s == 0 || MATCH [a\d[^\.\]] -> ASSUME {$$s[$1]; !$$i.empty} DO s[x y]=false GOTO t;
END AUTOMATON
#include nothing.spc
