// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/pin_case.h"

#include <gtest/gtest.h>

// SystemC's library wants the one, and has the other, which would run no test.
extern "C" __attribute__((weak)) int sc_main(int, char**) {
    return 0;
}
__attribute__((weak)) int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}

// random 2, shrunk: cycle 16, router, port 0: credit_o is 0x0 in the model and 0x1 in the RTL
TEST(Shrunk, random_2) {
    EXPECT_EQ(sare::cosim::difference(R"(pin_case:
  router: {vcs: 1, depth: 2, ports: 2, credit_in_delay: 0, routing: table, nodes: 2, flit_width: 16}
  here: [0, 1]  # the port to each node
  next: [0, 1]  # at the next router
  packets:  # port, VC, destination, ways, cycle of each flit
    - [1, 0, 0, 0, 2, 4, 5, 8]
    - [0, 0, 0, 0, 5]
    - [0, 0, 1, 0, 9]
    - [0, 0, 1, 0, 11]
    - [1, 0, 0, 0, 11]
    - [1, 0, 1, 0, 12]
  credits:  # port, VC, cycles
    - [0, 0, 1, 3, 10]
)"),
              "");
}
