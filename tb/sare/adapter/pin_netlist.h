// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::cli {

/// A field of a structure.
struct pin_field {
    std::string name;  ///< name, after those of the structures around it: hdr.tail
    std::uint32_t bits, lsb;
};

/// A pin of a module.
struct module_pin {
    std::string name;
    bool input = false;
    std::uint32_t width = 1, elements = 0;  ///< bits, and elements of an unpacked array (0: none)
    std::uint32_t dimension = 0;            ///< elements of the first of several packed dimensions; 0: none
    bool ascending = false;                 ///< true: the first packed range is [0:N]
    std::vector<pin_field> fields = {};     ///< only of a structure, the highest first
};

/// Returns the pins of the top module in Verilator's XML, in their order.
std::vector<module_pin> pins_of(const std::string& xml);

}  // namespace sare::cli
