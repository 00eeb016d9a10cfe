// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"
#include "tlm/config/value.h"

namespace sare::cosim {

/// The parameters of a module as its source declares them; tb/python/sare/rtl reads the same lines. A
/// parameter gets the value of the field with its name in snake case: VaDelay the value of va_delay.
class rtl_module {
  public:
    struct parameter {
        std::string name;
        std::string field;                   ///< name of its field: `name` in snake case
        bool is_bits = false;                ///< true: a flag or a vector of type `bit`; false: a number
        std::vector<std::string> width;      ///< only of a vector: factors, numbers and parameters
        std::vector<std::string> words;      ///< only of a choice: its words in fields
        std::vector<std::uint32_t> numbers;  ///< only of a choice: numbers of the words in sare_pkg
    };

    /// Reads the source of module `name`; `sources`: see rtl_request. Throws rtl_error if a file cannot be
    /// read.
    explicit rtl_module(const std::string& name, const std::string& sources = "");

    const std::vector<parameter>& parameters() const& { return m_parameters; }
    const std::vector<parameter>& parameters() const&& = delete;
    /// Returns name and value, as SystemVerilog text, of every parameter. Throws rtl_error for one that has
    /// no field; a field without value, or with an empty list, leaves the RTL's default.
    rtl_parameters values_of(const config::value& fields) const;

  private:
    std::string m_name;
    std::vector<parameter> m_parameters;
};

/// Returns the word that a value chooses: the value itself, or for a section its `name`.
const std::string& word_of(const config::value& chosen);

}  // namespace sare::cosim
