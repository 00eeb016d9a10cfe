// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tb/program.h"

/// What tests of mistakes share: a wrong file or option, and the one line that answers it.
namespace sare::test {

#define MESH "network: {topology: mesh, dims: [4, 4]}\n"
#define TRAFFIC "traffic: {workload: bernoulli, load: 0.1}\n"

struct broken_case {
    const char *name, *command, *arguments;
    int status;
    std::string text;     ///< of case.yaml
    const char* message;  ///< behind "sare: "
    friend std::ostream& operator<<(std::ostream& out, const broken_case& c) { return out << c.name; }
};

class broken_program : public program, public testing::WithParamInterface<broken_case> {
  protected:
    void expect_one_line() {
        const broken_case& c = GetParam();
        write("case.yaml", c.text);
        const outcome o = sare(std::string(c.command) + " case.yaml " + c.arguments);
        EXPECT_EQ(o.err, "sare: " + std::string(c.message) + "\n");
        EXPECT_EQ(o.status, c.status);
        if (std::string(c.command) == "check") {
            EXPECT_EQ(sare(std::string("run --quiet --no-report case.yaml ") + c.arguments).err, o.err);
        }
    }
};

}  // namespace sare::test
