// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/coverage.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sare::cosim {
namespace {

/// Returns the value of a key of a point: "\1key\2value\1key\2value".
std::string field(const std::string& point, const std::string& key) {
    const auto at = point.find('\1' + key + '\2');
    if (at == std::string::npos) return "";
    const auto begin = at + key.size() + 2;
    return point.substr(begin, point.find('\1', begin) - begin);
}

}  // namespace

void coverage::add(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || line.rfind("# SystemC::Coverage", 0) != 0)
        throw std::runtime_error(file + ": is no coverage file of Verilator");
    while (std::getline(in, line)) {
        const auto end = line.rfind("' ");
        if (line.rfind("C '", 0) != 0 || end == std::string::npos) continue;
        const std::string what = line.substr(3, end - 3);
        const std::filesystem::path source = field(what, "f");
        const bool toggle = field(what, "page").rfind("v_toggle", 0) == 0;
        const std::string place = source.filename().string() + ":" + field(what, "l") + ": ";
        point& p = m_points[place + (toggle ? "toggle of " + field(what, "o") : "line, " + field(what, "o"))];
        p.module = source.stem();
        p.toggle = toggle;
        p.count += std::strtoull(line.c_str() + end + 2, nullptr, 10);
    }
}

std::map<std::string, coverage::module_tally> coverage::by_module() const {
    std::map<std::string, module_tally> modules;
    for (const auto& [name, p] : m_points) {
        module_tally& m = modules[p.module];
        tally& t = p.toggle ? m.toggles : m.lines;
        ++t.points;
        t.covered += p.count != 0 ? 1 : 0;
    }
    return modules;
}

coverage::module_tally coverage::all() const {
    module_tally sum;
    for (const auto& [name, m] : by_module()) {
        sum.lines.points += m.lines.points;
        sum.lines.covered += m.lines.covered;
        sum.toggles.points += m.toggles.points;
        sum.toggles.covered += m.toggles.covered;
    }
    return sum;
}

std::string coverage::missing() const {
    std::string all;
    for (const auto& [name, p] : m_points)
        if (p.count == 0) all += name + "\n";
    return all;
}

}  // namespace sare::cosim
