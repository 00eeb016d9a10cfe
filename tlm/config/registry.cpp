// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/registry.h"

namespace sare::config {

variant_parameters::object variant_parameters::read(const value& section) const {
    object p = m_make_defaults();
    if (section.type() == value::kind::map)
        m_fields.read_into(p.get(), section, m_among.title(section, m_name), m_among.selector());
    return p;
}

std::vector<parameter_doc> variant_parameters::describe() const {
    return m_fields.describe_with(m_make_defaults().get());
}

value variant_parameters::resolve(const value& section) const {
    return with_selector(m_among.selector(), m_name, m_fields.write_from(read(section).get()));
}

void throw_missing(const location& where, const std::string& what, const std::string& part) {
    throw error(where, what + " is in the part '" + part +
                           "', which this program is built without; 'scripts/setup --test', 'cmake -B build "
                           "-DSARE_PARTS=all' and building again bring it");
}

void throw_no_variants(const location& where, const std::string& kind) {
    throw error(where,
                "this program has no " + kind +
                    " at all: its linker has dropped what nothing names; link libsare.a as a whole, as "
                    "CMake's sare::sare and 'pkg-config --libs sare' do (-Wl,--whole-archive -l:libsare.a "
                    "-Wl,--no-whole-archive)");
}

value with_selector(const std::string& selector, const std::string& name, const value& parameters) {
    value out = value::map({{selector, value::scalar(name)}});
    for (const auto& [key, v] : parameters.entries()) out.set(key, v);
    return out;
}

}  // namespace sare::config
