// SPDX-License-Identifier: Apache-2.0
#include <systemc>

/// SystemC's library asks for it; main() is libFuzzer's.
int sc_main(int, char**) {
    return 0;
}
