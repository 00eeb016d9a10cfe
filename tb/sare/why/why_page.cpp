// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/files.h"
#include "tb/sare/process/markup.h"
#include "tb/sare/why/why_report.h"

/// The page of `sare why`, which needs no other file.
namespace sare::cli {

void write_why_page(const json& data, const std::string& title, const std::filesystem::path& file) {
    std::string page =
#include "why_page_text.h"
        ;
    const auto replace = [&page](const std::string& what, const std::string& by) {
        for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; at += by.size())
            page.replace(at, what.size(), by);
    };
    std::string text = data.dump();
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
    replace("@TITLE@", escaped_markup(title));
    replace("@DATA@", text);
    replace_file(file, page);
}

}  // namespace sare::cli
