/* systemc.h -- <systemc> with the names of sc_core, sc_dt and some of std at file scope. */
#ifndef PV_SYSTEMC_H
#define PV_SYSTEMC_H

#include "systemc"

#include <cctype>
#include <climits>
#include <cmath>
#include <cstddef>
#include <ctime>

#include <fstream>
#include <iomanip>
#include <sstream>

using namespace sc_core;
using namespace sc_dt;
using sc_dt::int64;
using sc_dt::uint64;

using std::cerr;
using std::cin;
using std::clog;
using std::cout;
using std::dec;
using std::endl;
using std::flush;
using std::hex;
using std::ios;
using std::istream;
using std::oct;
using std::ostream;
using std::setfill;
using std::setprecision;
using std::setw;

#endif
