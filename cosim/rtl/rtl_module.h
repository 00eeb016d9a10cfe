// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"
#include "tlm/config/value.h"

namespace sare::cosim {

/// The parameters of a module, as its source declares them; scripts/librtl.py reads the same lines. A
/// parameter has the value of the field of its name: VaDelay that of va_delay.
class rtl_module {
  public:
    struct parameter {
        std::string name;
        std::string field;                   ///< its name in snake case
        bool is_bits = false;                ///< `bit`: a flag, or a vector; else a number
        std::vector<std::string> width;      ///< of a vector: factors, numbers and parameters
        std::vector<std::string> words;      ///< of a choice: as fields have them
        std::vector<std::uint32_t> numbers;  ///< of a choice: those by which sare_pkg knows the words
    };

    /// `sources`: as of rtl_request. Throws rtl_error if a file cannot be read.
    explicit rtl_module(const std::string& name, const std::string& sources = "");

    const std::vector<parameter>& parameters() const& { return m_parameters; }
    const std::vector<parameter>& parameters() const&& = delete;
    /// Name and value, as SystemVerilog text, of every parameter. Throws rtl_error for one that has no field;
    /// a field without value, or with an empty list, leaves it as the RTL has it.
    rtl_parameters values_of(const config::value& fields) const;

  private:
    std::string m_name;
    std::vector<parameter> m_parameters;
};

/// A word of a choice; of a variant that is a section, its name.
const std::string& word_of(const config::value& chosen);

}  // namespace sare::cosim
