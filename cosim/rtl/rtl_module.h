// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"
#include "tlm/config/value.h"

namespace sare::cosim {

/// The parameters of a SystemVerilog module, read from its source (the Python package in tb/python/sare/rtl
/// reads the same lines). A parameter gets the value of the field, as of router_setting::values(), that has
/// its name in snake case: VaDelay the value of va_delay.
class rtl_module {
  public:
    /// A parameter of the module.
    struct parameter {
        /// Name in the source, such as VaDelay.
        std::string name;
        std::string field;     ///< name of the field for its value: `name` in snake case
        bool is_bits = false;  ///< true: a flag or a vector of type `bit`; false: a number
        /// If it is a vector: factors whose product is its number of bits, each a number or the name of a
        /// parameter; else empty.
        std::vector<std::string> width;
        /// If its field is a choice: the words that the field can have; else empty.
        std::vector<std::string> words;
        /// If its field is a choice: the number in rtl/sare_pkg.sv of each of `words`; else empty.
        std::vector<std::uint32_t> numbers;
    };

    /// Reads the source of module `name` in the folder `sources`; empty: the folder that rtl_request::sources
    /// means if empty. Throws rtl_error if it cannot be read.
    explicit rtl_module(const std::string& name, const std::string& sources = "");

    /// Returns the parameters, in the order of the source, valid as long as this object.
    const std::vector<parameter>& parameters() const& { return m_parameters; }
    const std::vector<parameter>& parameters() const&& = delete;
    /// Returns the values, as SystemVerilog text, of all parameters, from the map `fields`. A field that is
    /// null or an empty list leaves the default of the RTL. Throws rtl_error for a parameter without a field,
    /// and for a word that the RTL does not have.
    rtl_parameters values_of(const config::value& fields) const;

  private:
    std::string m_name;
    std::vector<parameter> m_parameters;
};

/// Returns the word that the value of a choice has: a text itself, or the `name` of a map with parameters.
const std::string& word_of(const config::value& chosen);

}  // namespace sare::cosim
