// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

/// RapidChiplet's traffic: a JSON object whose keys are pairs, "__tuple__:[0, 1]", of chiplets, or of units
/// that are pairs of a chiplet and a number themselves.
namespace sare::traffic::variants::rapidchiplet_flows {
namespace {

using json = nlohmann::json;
constexpr std::string_view tuple = "__tuple__:";

class rapidchiplet final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::size_t first = file.text.find_first_not_of(" \t\r\n");
        return first != std::string::npos && file.text[first] == '{' &&
               file.text.find(tuple) != std::string::npos;
    }

    flow_list read(const flow_file& file) const override {
        const config::location at = file.line(1);
        const json tree = json::parse(file.text, nullptr, false);
        if (!tree.is_object()) throw wrong(at, "");
        using unit = std::vector<std::uint64_t>;  // a chiplet, or a chiplet and its unit
        std::map<unit, std::uint32_t> numbers;
        std::vector<std::pair<std::pair<unit, unit>, double>> pairs;
        for (const auto& [key, rate] : tree.items()) {
            const json ends = tuple_of(json(key));
            if (!ends.is_array() || ends.size() != 2 || !rate.is_number() || rate.get<double>() < 0)
                throw wrong(at, key);
            pairs.push_back({{unit_of(ends[0], at, key), unit_of(ends[1], at, key)}, rate.get<double>()});
            numbers[pairs.back().first.first] = numbers[pairs.back().first.second] = 0;
        }
        const bool by_unit =
            std::any_of(numbers.begin(), numbers.end(), [](const auto& n) { return n.first.size() == 2; });
        std::uint32_t next = 0;
        for (auto& [own, number] : numbers) number = by_unit ? next++ : file.node(std::to_string(own[0]), at);
        file.check_nodes(next, "units", at);
        flow_list all;
        for (const auto& [ends, rate] : pairs) {
            flow f = file.usual;
            f.at = at;
            f.source = numbers[ends.first];
            f.destination = numbers[ends.second];
            f.rate = rate;
            if (rate > 0) all.push_back(f);
        }
        std::stable_sort(all.begin(), all.end(), [](const flow& a, const flow& b) {
            return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
        });
        return all;
    }

  private:
    static config::error wrong(const config::location& at, const std::string& key) {
        return config::error(at,
                             "RapidChiplet's traffic must be a JSON object with keys such as \"__tuple__:[0, "
                             "1]\" and numbers from 0" +
                                 (key.empty() ? "" : ", not '" + key + "'"));
    }
    /// Returns the list in "__tuple__:[...]"; null for anything else.
    static json tuple_of(const json& text) {
        if (!text.is_string()) return nullptr;
        const std::string all = text.get<std::string>();
        if (all.compare(0, tuple.size(), tuple) != 0) return nullptr;
        json list = json::parse(all.substr(tuple.size()), nullptr, false);
        return list.is_array() ? list : json(nullptr);
    }
    static std::vector<std::uint64_t> unit_of(const json& one, const config::location& at,
                                              const std::string& key) {
        std::vector<std::uint64_t> numbers;
        const json list = one.is_string() ? tuple_of(one) : json::array({one});
        if (!list.is_array() || list.empty() || list.size() > 2) throw wrong(at, key);
        for (const json& n : list) {
            if (!n.is_number_unsigned()) throw wrong(at, key);
            numbers.push_back(n.get<std::uint64_t>());
        }
        return numbers;
    }
};

const config::registration<flow_format> registered{"rapidchiplet",
                                                   "RapidChiplet's traffic by chiplet or by unit (JSON), in "
                                                   "flits a cycle; units are numbered in their order.",
                                                   config::made<rapidchiplet>};

}  // namespace
}  // namespace sare::traffic::variants::rapidchiplet_flows
