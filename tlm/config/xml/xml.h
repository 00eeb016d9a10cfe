// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <map>
#include <string>
#include <vector>

namespace sare::config {

/// An element of an XML file.
struct xml_element {
    std::string name, text;  ///< name of its tag; text within it, without blanks at its ends
    std::map<std::string, std::string> attributes;  ///< attributes by name
    std::vector<xml_element> children;              ///< elements within it, in their order
    location at;                                    ///< file and line of its tag, for errors; column 1

    /// Returns the value of attribute `key`. Throws error at `at` if the element does not have it.
    const std::string& attribute(const std::string& key) const;
};

/// Returns the outermost element of an XML text. `file`: name of the file in errors. Throws error, with the
/// line, if the text is no valid XML.
xml_element read_xml(std::string text, const std::string& file);

}  // namespace sare::config
