// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/ucis.h"
#include "tests/tb/cosim_program.h"

/// Functional coverage as UCIS XML, read by a parser that takes nothing malformed.
namespace sare::test::ucis_test {
namespace {

TEST_F(cosim, WritesUcisWithAnyNames) {
    write("odd.xml",
          cli::ucis_text("a < b & \"c\"\t<full>, then 'empty'\t3\na < b & \"c\"\tnone\t0\nd\te\t5\n"));
    EXPECT_EQ(coverpoints("odd.xml"), "a < b & \"c\"|2|<full>, then 'empty'|3\nd|1|e|5\n");
    write("none.xml", cli::ucis_text(""));
    EXPECT_EQ(coverpoints("none.xml"), "");
}

}  // namespace
}  // namespace sare::test::ucis_test
