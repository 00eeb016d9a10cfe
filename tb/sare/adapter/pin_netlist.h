// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::cli {

/// A field of a pin that is a packed structure; a structure within it is replaced by its fields.
struct pin_field {
    std::string name;         ///< name, with the names of the fields around it before it: hdr.tail
    std::uint32_t bits, lsb;  ///< number of bits; lowest bit in the structure
};

/// A pin of a module.
struct module_pin {
    std::string name;
    bool input = false;  ///< true: input; false: output
    /// Number of bits; number of elements of an unpacked array (0: no array).
    std::uint32_t width = 1, elements = 0;
    /// Number of elements of the first packed dimension of several; 0: at most one.
    std::uint32_t dimension = 0;
    bool ascending = false;  ///< true: the first packed range is [0:N]
    /// Fields if it is a structure, the highest bits first; else empty.
    std::vector<pin_field> fields = {};
};

/// Returns the pins of the top module, in the order of its source. `xml`: text of the XML file that Verilator
/// writes for it.
std::vector<module_pin> pins_of(const std::string& xml);

}  // namespace sare::cli
