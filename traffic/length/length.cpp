// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"

#include "tlm/config/hints.h"
#include "tlm/config/schema.h"

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (length_registry::instance().name_kind("length", "name"), true);
[[maybe_unused]] const bool known = config::add_names_of<length_registry>("length", "traffic.length");

/// Spells out `length: 5`, short for `length: {name: fixed, flits: 5}`, also as the name of a section.
config::value spelled_out(const config::value& v) {
    if (v.type() == config::value::kind::map) {
        const config::value* name = v.find("name");
        config::value all = name == nullptr ? v : spelled_out(*name);
        if (all.type() != config::value::kind::map || name == nullptr) return v;
        for (const auto& [key, parameter] : v.entries())
            if (key != "name") all.set(key, parameter);
        return all;
    }
    if (v.type() != config::value::kind::scalar) return v;
    const std::string& text = v.text();
    const bool number =
        !text.empty() && (text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9'));
    if (!number) return v;
    config::to_integer(v, "length", 1, 1 << 20);
    return config::value::map({{"name", config::value::scalar("fixed", v.where())}, {"flits", v}}, v.where());
}

}  // namespace

std::unique_ptr<length_law> make_length(const config::value& v, const length_context& c) {
    return length_registry::instance().make(spelled_out(v), c);
}
config::value resolve_length(const config::value& v) {
    return length_registry::instance().resolve(spelled_out(v));
}

}  // namespace sare::traffic
