// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <functional>
#include <string>
#include <vector>

namespace sare {

/// A product of powers and functions of parameters: "1", "width", "ports^2*vcs", "log2(vcs)*ports".
/// Functions of x: log2; bits, the bits of a counter up to x; clog2, the bits of a number that tells x things
/// apart; flips, the bits that change from x to x - 1; and the functions of multiplexer_tree.h.
class monomial {
  public:
    /// Reads a product. Throws config::error, placed at `at`, for another text.
    monomial(const std::string& text, const config::location& at);
    /// Returns the value, with `parameter` for the value of each parameter.
    double value(const std::function<double(const std::string& name)>& parameter) const;

  private:
    struct factor {
        std::string name;
        unsigned power;
        double (*function)(double);  ///< null: a power
    };
    static factor read(const std::string& part);
    std::vector<factor> m_factors;  ///< empty: the product is 1
};

/// A sum of monomials, each with its coefficient.
using monomial_sum = std::vector<std::pair<monomial, double>>;

}  // namespace sare
