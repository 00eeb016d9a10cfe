// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/weights.h"

#include "traffic/spatial/pattern.h"

#include <sstream>

namespace sare::traffic {

void read_weights(const config::location& at, const std::string& folder, const std::string& file,
                  const std::vector<std::string>& columns, const weight_line& line) {
    std::istringstream in(read_text(at, folder, file));
    const std::string path = file_path(folder, file);
    std::string form;
    for (const auto& c : columns) form += c + " ";
    std::vector<std::int64_t> numbers(columns.size());
    std::string text, rest;
    bool any = false;
    for (int number = 1; std::getline(in, text); ++number) {
        text.erase(std::min(text.find('#'), text.size()));
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        const config::location place{path, number, 1};
        std::istringstream words(text);
        double weight = 0;
        for (auto& n : numbers) words >> n;
        if (!(words >> weight) || words >> rest)
            throw config::error(place, "a line must be '" + form + "weight'");
        if (!(weight >= 0 && weight < 1e300)) throw config::error(place, "a weight must be 0 or more");
        line(place, numbers, weight);
        any = any || weight > 0;
    }
    if (!any) throw config::error({path, 1, 1}, "no weight above 0; a line must be '" + form + "weight'");
}

}  // namespace sare::traffic
