// SystemC: an error that is reported is one of def-behavior. Else it ends the program, so the assertion behind it is not reached. Where the program says that
// it goes on (-DGOES_ON), that is not followed, and told. Actions for warnings that only display are without effect.
// args: --property unreach-call
// expect: true
// run: --property unreach-call -- -DGOES_ON => conditional
// run: --property unreach-call -- -DWARNS => false(unreach-call)
// run: => false(def-behavior)
#include <cassert>
#include <systemc>
using namespace sc_core;
int sc_main(int, char *[]) {
  sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
  sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", SC_DO_NOTHING);
#ifdef GOES_ON
  sc_report_handler::set_actions(SC_ERROR, SC_DISPLAY);
#endif
#ifdef WARNS
  SC_REPORT_WARNING("test", "goes on");
#else
  SC_REPORT_ERROR("test", "ends");
#endif
  assert(0);
  return 0;
}
