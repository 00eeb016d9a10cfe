// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/cosim/found_file.h"
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
    /// Returns a line for each coverpoint of a file in UCIS XML: name, number of bins, first bin, hits.
    std::string coverpoints(const std::string& file) const {
        const outcome o = shell(
            "python3 -c \"import sys, xml.etree.ElementTree as tree\n"
            "ns = '{UCIS}'\n"
            "for p in tree.parse(sys.argv[1]).getroot().iter(ns + 'coverpoint'):\n"
            "    bins = p.findall(ns + 'coverpointBin')\n"
            "    hits = sum(int(c.get('coverageCount')) for c in p.iter(ns + 'contents'))\n"
            "    print(p.get('name'), len(bins), bins[0].get('name'), hits, sep='|')\" " +
            file);
        EXPECT_EQ(o.err, "");
        return o.out;
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
