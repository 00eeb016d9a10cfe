// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/found_file.h"
#include "tests/tb/program.h"

namespace sare::test {

/// Programs that compare RTL with the model: a small mesh, and copies of the RTL that are changed.
class cosim : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("mesh.yaml",
              "network: {topology: mesh, dims: [3, 2]}\n"
              "router: {vcs: 2, depth: 4}\n"
              "traffic: {workload: bernoulli, load: 0.3, length: {name: range, min: 1, max: 4}}\n");
    }
    /// Sare's RTL with one line changed, in folder `rtl`.
    void change_rtl(const std::string& file, const std::string& from, const std::string& to) const {
        std::filesystem::copy(SARE_SOURCE_DIR "/rtl", at("rtl"), std::filesystem::copy_options::recursive);
        const std::string path = "rtl/" + found_file(at("rtl"), file).lexically_relative(at("rtl")).string();
        std::string text = read(path);
        const auto place = text.find(from);
        ASSERT_NE(place, std::string::npos);
        write(path, text.replace(place, from.size(), to));
    }
    static unsigned long last_time(const std::string& vcd) {
        return std::stoul(vcd.substr(vcd.rfind("\n#") + 2));
    }
    static std::string last_line(const std::string& text) {
        const auto end = text.find_last_not_of('\n'), begin = text.rfind('\n', end);
        return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
    }
};

}  // namespace sare::test
