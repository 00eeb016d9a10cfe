// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include "tlm/config/hints.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

template class sare::config::registry<sare::traffic::pattern, const sare::traffic::pattern_context&>;

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (pattern_registry::instance().name_kind("pattern", "name"), true);
[[maybe_unused]] const bool known = config::add_names_of<pattern_registry>("pattern", "traffic.pattern");

}  // namespace

void add_others(std::uint32_t source, double part, std::vector<double>& to) {
    const auto others = static_cast<double>(to.size() - 1);
    if (to.size() == 1) to[0] += part;
    for (std::uint32_t d = 0; d < to.size(); ++d)
        if (d != source) to[d] += part / others;
}

unsigned id_bits(const config::value& section, const std::string& name, std::uint32_t nodes) {
    unsigned bits = 0;
    while ((1ull << bits) < nodes) ++bits;
    if ((1ull << bits) != nodes || bits == 0)
        throw config::error(section.where(),
                            fmt::format("pattern '{}' permutes the bits of node ids; {} nodes are no power "
                                        "of two (from 2); complement, tornado and neighbour take any number",
                                        name, nodes));
    return bits;
}

std::string file_path(const std::string& folder, const std::string& file) {
    if (folder.empty() || (!file.empty() && file.front() == '/')) return file;
    return folder + "/" + file;
}

std::string read_text(const config::location& at, const std::string& folder, const std::string& file) {
    const std::string path = file_path(folder, file);
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    const bool empty = in && in.peek() == std::ifstream::traits_type::eof() && !in.bad();
    if (!empty && !(in && text << in.rdbuf()))
        throw config::error(at, "cannot read '" + path + "'" + config::hint_of_file(path));
    return text.str();
}

}  // namespace sare::traffic
