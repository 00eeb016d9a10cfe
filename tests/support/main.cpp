// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <systemc>

// GoogleTest has the main(); SystemC wants its symbol. (With libsystemc's own main() first on the link line
// no test would run and the status would be 0.)
int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
