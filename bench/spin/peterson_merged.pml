/* The filter lock of peterson.pml without steps that touch nothing shared, and without values that
 * nobody will read any more (k is 0 and l is 1 there): the states of peterson.c. */
#ifndef NP
#define NP 3
#endif
byte level[NP]; byte last[NP]; byte ncrit;

/* the next k that is not me */
inline skip_me() { if :: k == me -> k++ :: else fi }

active [NP] proctype P() {
  byte me = _pid; byte l = 1; byte k;
enter:
  level[me] = l;
  d_step { last[l] = me; k = 0; skip_me() };
look:
  if
  :: atomic {
       level[k] < l -> k++; skip_me();
       if
       :: k < NP -> goto look
       :: k >= NP && l + 1 < NP -> k = 0; l++; goto enter
       :: k >= NP && l + 1 >= NP -> k = 0; l = 1; goto critical
       fi
     }
  :: atomic { level[k] >= l -> k = 0; goto wait }
  fi;
wait:
  if
  :: atomic { last[l] != me && l + 1 < NP -> l++; goto enter }
  :: atomic { last[l] != me && l + 1 >= NP -> l = 1; goto critical }
  :: atomic { last[l] == me -> skip_me(); goto look }
  fi;
critical:
  ncrit++;
  assert(ncrit == 1);
  ncrit--;
  level[me] = 0;
  goto enter
}
