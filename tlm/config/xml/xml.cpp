// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/xml/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/detail/rapidxml.hpp>

namespace sare::config {
namespace {

namespace rapid = boost::property_tree::detail::rapidxml;

/// Copies elements out of the parser's tree, whose names point into the text.
class element_copier {
  public:
    /// `parsed`: the text that the parser changes as it goes.
    element_copier(const char* parsed, std::string text, const std::string& file)
        : m_parsed(parsed), m_text(std::move(text)), m_file(file) {}

    location place(const char* at) const {
        const auto end = m_text.begin() + std::min(at - m_parsed, static_cast<std::ptrdiff_t>(m_text.size()));
        return {m_file, static_cast<int>(std::count(m_text.begin(), end, '\n')) + 1, 1};
    }
    xml_element copy(const rapid::xml_node<char>& from) const {
        xml_element to;
        to.name.assign(from.name(), from.name_size());
        to.text.assign(from.value(), from.value_size());
        to.at = place(from.name());
        for (const auto* a = from.first_attribute(); a != nullptr; a = a->next_attribute())
            to.attributes.emplace(std::string(a->name(), a->name_size()),
                                  std::string(a->value(), a->value_size()));
        for (const auto* n = from.first_node(); n != nullptr; n = n->next_sibling())
            if (n->type() == rapid::node_element) to.children.push_back(copy(*n));
        return to;
    }

  private:
    const char* m_parsed;
    const std::string m_text;
    const std::string& m_file;
};

}  // namespace

const std::string& xml_element::attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    if (found == attributes.end()) throw error(at, fmt::format("<{}> has no attribute '{}'", name, key));
    return found->second;
}

xml_element read_xml(std::string text, const std::string& file) {
    const element_copier copier(text.data(), text, file);
    rapid::xml_document<char> all;
    try {
        all.parse<rapid::parse_trim_whitespace | rapid::parse_validate_closing_tags>(text.data());
    } catch (const rapid::parse_error& e) {
        throw error(copier.place(e.where<char>()), fmt::format("this is no XML: {}", e.what()));
    }
    for (const auto* n = all.first_node(); n != nullptr; n = n->next_sibling())
        if (n->type() == rapid::node_element) return copier.copy(*n);
    throw error({file, 1, 1}, "this XML has no element");
}

}  // namespace sare::config
