// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/weights.h"

#include "traffic/spatial/pattern.h"

#include <charconv>
#include <sstream>

namespace sare::traffic {
namespace {

/// Reads a number or a name; returns false if the word is neither.
bool read_number(const std::string& word, const config::location& at, const word_number& by_name,
                 std::int64_t& n) {
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (problem == std::errc() && stop == word.data() + word.size()) return true;
    if (!by_name || word.empty()) return false;
    n = by_name(at, word);
    return true;
}

}  // namespace

void read_weights(const config::location& at, const std::string& folder, const std::string& file,
                  const std::vector<std::string>& columns, const weight_line& line,
                  const word_number& by_name) {
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
        std::vector<std::string> ends(columns.size());
        for (auto& word : ends) words >> word;
        bool good = (words >> weight) && !(words >> rest);
        for (std::size_t i = 0; good && i < ends.size(); ++i)
            good = read_number(ends[i], place, by_name, numbers[i]);
        if (!good) throw config::error(place, "a line must be '" + form + "weight'");
        if (!(weight >= 0 && weight < 1e300)) throw config::error(place, "a weight must be 0 or more");
        line(place, numbers, weight);
        any = any || weight > 0;
    }
    if (!any) throw config::error({path, 1, 1}, "no weight above 0; a line must be '" + form + "weight'");
}

}  // namespace sare::traffic
