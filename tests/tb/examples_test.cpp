// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <regex>
#include <vector>

/// Every experiment that comes with sare is good.
namespace sare::test::examples_test {
namespace {

std::vector<std::string> examples() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(SARE_SOURCE_DIR "/tb/experiments"))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

class example : public program, public testing::WithParamInterface<std::string> {};

TEST_P(example, PassesTheCheck) {
    const outcome o = sare("check '" + GetParam() + "'");
    EXPECT_EQ(o.status, 0);
    // Some ask for more than the links of nodes take, on purpose.
    EXPECT_EQ(std::regex_replace(o.err, std::regex("sare: warning: [^\n]*'load' is [^\n]*\n"), ""), "");
}

INSTANTIATE_TEST_SUITE_P(experiments, example, testing::ValuesIn(examples()), [](const auto& one) {
    std::string name = std::filesystem::path(one.param).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

}  // namespace
}  // namespace sare::test::examples_test
