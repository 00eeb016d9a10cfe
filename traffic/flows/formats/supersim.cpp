// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <algorithm>
#include <numeric>

/// SuperSim's traffic matrix: a line a source, the probability of each destination, and a comma behind each.
namespace sare::traffic::variants::supersim_flows {
namespace {

class supersim final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::vector<flow_line> lines = lines_of(file.text, ",", "");
        return !lines.empty() && std::all_of(lines.begin(), lines.end(), [](const flow_line& l) {
            return l.words.size() > 1 && l.words.back().empty();
        });
    }

    flow_list read(const flow_file& file) const override {
        std::vector<std::vector<double>> rows;
        for (const flow_line& l : lines_of(file.text, ",", "")) {
            const config::location at = file.line(l.number);
            std::vector<double> row;
            for (std::size_t i = 0; i < l.words.size(); ++i)
                if (i + 1 < l.words.size() || !l.words[i].empty()) row.push_back(to_share(l.words[i], at));
            const double sum = std::accumulate(row.begin(), row.end(), 0.0);
            if (sum > 0)
                for (double& share : row) share /= sum;
            rows.push_back(std::move(row));
        }
        flow_list all;
        add_matrix(rows, file, file.line(1), all);
        return all;
    }
};

const config::registration<flow_format> registered{
    "supersim",
    "SuperSim's matrix: probabilities of destinations, a line a source, commas; each source sends a flit a "
    "cycle in all, times 'load'.",
    config::made<supersim>};

}  // namespace
}  // namespace sare::traffic::variants::supersim_flows
