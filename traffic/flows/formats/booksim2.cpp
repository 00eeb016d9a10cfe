// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <nlohmann/json.hpp>

/// The matrix that BookSim2 reads as RapidChiplet extends it (`traffic = custom`, `traffic_file`): a JSON
/// list of rows, a source each. BookSim2 itself has no file of traffic.
namespace sare::traffic::variants::booksim2_flows {
namespace {

class booksim2 final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::size_t first = file.text.find_first_not_of(" \t\r\n");
        return first != std::string::npos && file.text[first] == '[';
    }

    flow_list read(const flow_file& file) const override {
        const config::location at = file.line(1);
        const auto tree = nlohmann::json::parse(file.text, nullptr, false);
        const auto wrong = [&] {
            return config::error(
                at, "a matrix for BookSim2 must be a JSON list of rows, each a list of numbers from 0");
        };
        if (!tree.is_array()) throw wrong();
        std::vector<std::vector<double>> rows;
        for (const auto& row : tree) {
            if (!row.is_array()) throw wrong();
            rows.emplace_back();
            for (const auto& x : row) {
                if (!x.is_number() || x.get<double>() < 0) throw wrong();
                rows.back().push_back(x.get<double>());
            }
        }
        flow_list all;
        add_matrix(rows, file, at, all);
        return all;
    }
};

const config::registration<flow_format> registered{
    "booksim2",
    "The matrix of BookSim2 with 'traffic = custom' (RapidChiplet's): JSON, rows of rates in flits a cycle.",
    config::made<booksim2>};

}  // namespace
}  // namespace sare::traffic::variants::booksim2_flows
