// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/record/player_page.h"

#include "tb/sare/results/report.h"
#include "tlm/config/text_file.h"

#include <ostream>

namespace sare::cli {
namespace {

/// Returns JSON that does not end a script of HTML.
std::string in_html(std::string text) {
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; ++at)
        text.replace(at, 1, "\\u003c");
    return text;
}

std::string read(const std::string& file) {
    constexpr std::size_t most = 1'000'000;
    return config::read_file(
        (scripts_folder().parent_path() / "tb/python/sare/report/player" / file).string(), most);
}

}  // namespace

void write_player(const json& about, const std::function<void(std::ostream&)>& record, std::ostream& to) {
    const std::string page = read("page.html"), opening = "<!--", closing = "-->";
    std::size_t done = 0;
    for (std::size_t at = 0; (at = page.find(opening, done)) != std::string::npos;) {
        const std::size_t end = page.find(closing, at);
        const std::string what = page.substr(at + opening.size(), end - at - opening.size());
        to << page.substr(done, at - done);
        if (what == "about")
            to << in_html(about.dump());
        else if (what == "record" && record)
            record(to);
        else if (what.find('.') != std::string::npos && what.find(' ') == std::string::npos)
            to << read(what);
        done = end + closing.size();
    }
    to << page.substr(done);
}

}  // namespace sare::cli
