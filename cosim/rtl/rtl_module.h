// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"
#include "tlm/config/value.h"

namespace sare::cosim {

/// The parameters of a module, read from its SystemVerilog source (tb/python/sare/rtl reads the same lines).
/// A parameter gets the value of the field that has its name in snake case: VaDelay the value of va_delay.
class rtl_module {
  public:
    /// A parameter of the module.
    struct parameter {
        /// Name in the source, such as VaDelay.
        std::string name;
        std::string field;               ///< name of the field for its value: `name` in snake case
        bool is_bits = false;            ///< true: a flag or a vector of type `bit`; false: a number
        std::vector<std::string> width;  ///< vector: factors whose product is its width, each a number or the
                                         ///< name of a parameter; else empty
        std::vector<std::string> words;  ///< choice: the words of its field; else empty
        std::vector<std::uint32_t> numbers;  ///< choice: the number in sare_pkg of each of the words; else
                                             ///< empty
    };

    /// Reads the source of module `name` in the folder `sources`; empty: as for rtl_request. Throws rtl_error
    /// if it cannot be read.
    explicit rtl_module(const std::string& name, const std::string& sources = "");

    /// The parameters, in the order of the source.
    const std::vector<parameter>& parameters() const& { return m_parameters; }
    const std::vector<parameter>& parameters() const&& = delete;
    /// Returns the values, as SystemVerilog text, of all parameters, from the map `fields`. A field that is
    /// null or an empty list leaves the default of the RTL. Throws rtl_error for a parameter without a field.
    rtl_parameters values_of(const config::value& fields) const;

  private:
    std::string m_name;
    std::vector<parameter> m_parameters;
};

/// Returns the word that a value chooses: the value itself, or the `name` of a section.
const std::string& word_of(const config::value& chosen);

}  // namespace sare::cosim
