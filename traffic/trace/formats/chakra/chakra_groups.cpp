// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/chakra/chakra_groups.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>

namespace sare::traffic {
namespace {

std::vector<std::uint32_t> members_of(const nlohmann::json& list, std::uint32_t devices,
                                      const std::string& path, const std::string& name) {
    const auto fail = [&](const std::string& what) {
        throw config::error({path, 0, 0}, "process group '" + name + "': " + what);
    };
    if (!list.is_array() || list.empty()) fail("expected a list of its devices, such as [0, 1]");
    std::vector<std::uint32_t> members;
    std::set<std::uint32_t> seen;
    for (const auto& each : list) {
        if (!each.is_number_unsigned() || each.get<std::uint64_t>() >= devices)
            fail(fmt::format("devices are 0 to {}, not {}", devices - 1, each.dump()));
        members.push_back(each.get<std::uint32_t>());
        if (!seen.insert(members.back()).second) fail("device " + each.dump() + " is named twice");
    }
    return members;
}

}  // namespace

chakra_groups::chakra_groups(std::string path, std::uint32_t devices) : m_path(std::move(path)) {
    if (!std::filesystem::exists(m_path)) return;
    std::ifstream file(m_path);
    const auto all = nlohmann::json::parse(file, nullptr, false);
    if (!all.is_object())
        throw config::error({m_path, 0, 0},
                            "expected a JSON object of process groups, such as {\"1\": [0, 1]}");
    for (const auto& [name, list] : all.items()) {
        m_groups.emplace_back(members_of(list, devices, m_path, name));
        m_numbers.emplace(name, static_cast<std::uint32_t>(m_groups.size()));
    }
}

std::uint32_t chakra_groups::find(const std::string& name) const {
    const auto found = m_numbers.find(name);
    return found == m_numbers.end() ? unknown : found->second;
}

}  // namespace sare::traffic
