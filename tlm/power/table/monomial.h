// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <functional>
#include <string>
#include <vector>

namespace sare {

/// A product of powers and functions of parameters: "1", "width", "ports^2*vcs", "log2(vcs)*ports".
/// Functions: log2, bits (of a counter that goes up to x), clog2 (of a number that tells x things apart),
/// flips (bits that change from x to x - 1) and those of multiplexer_tree.h.
class monomial {
  public:
    /// Throws config::error at `at`.
    monomial(const std::string& text, const config::location& at);
    /// `parameter`: the value of one.
    double value(const std::function<double(const std::string& name)>& parameter) const;

  private:
    struct factor {
        std::string name;
        unsigned power;
        double (*function)(double);  ///< of the parameter; null: a power
    };
    static factor read(const std::string& part);
    std::vector<factor> m_factors;  ///< none: 1
};

/// A sum of monomials, each with its coefficient.
using monomial_sum = std::vector<std::pair<monomial, double>>;

}  // namespace sare
