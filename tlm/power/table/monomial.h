// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <functional>
#include <string>
#include <vector>

namespace sare {

/// A product of parameters to a power, and of functions of parameters: "1", "width", "ports^2*vcs",
/// "log2(vcs)*ports". Powers are 1 to 9. Functions of x: log2; bits, the number of bits of a counter from 0
/// to x; clog2, the number of bits that tell x things apart; flips, the number of bits of a counter that
/// change from x to x - 1; mux_selects and mux_outputs, see multiplexer_tree.h.
class monomial {
  public:
    /// Reads a product, in which spaces do not matter. Throws config::error, placed at `at`, for another text
    /// or "". Names of parameters are not checked.
    monomial(const std::string& text, const config::location& at);
    /// Returns the value of the product; `parameter` returns the value of a parameter.
    double value(const std::function<double(const std::string& name)>& parameter) const;

  private:
    /// A factor of the product: a parameter to a power, or a function of a parameter.
    struct factor {
        std::string name;            ///< name of the parameter
        unsigned power;              ///< power, 1 to 9; 1 with a function
        double (*function)(double);  ///< function; null: the factor is the parameter to the power
    };
    static factor read(const std::string& part);  ///< reads the text of one factor
    std::vector<factor> m_factors;                ///< empty: the product is 1
};

/// A sum of monomials, each with the coefficient by which it is multiplied.
using monomial_sum = std::vector<std::pair<monomial, double>>;

}  // namespace sare
