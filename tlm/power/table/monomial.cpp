// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/table/monomial.h"

#include "tlm/power/table/multiplexer_tree.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>

namespace sare {
namespace {

/// Bits of a counter that goes up to x.
double bits(double x) {
    double count = 0;
    for (auto left = static_cast<std::uint64_t>(std::max(x, 0.0)); left != 0; left >>= 1) ++count;
    return count;
}

/// Bits of a number that tells x things apart.
double clog2(double x) {
    return bits(x - 1);
}

/// Bits of a counter that change from x to x - 1, as when a credit of a full buffer is spent.
double flips(double x) {
    const auto from = static_cast<std::uint64_t>(std::max(x, 1.0));
    return bits(static_cast<double>(from ^ (from - 1)));
}

const std::map<std::string, double (*)(double)> functions{{"log2", std::log2},
                                                          {"bits", bits},
                                                          {"clog2", clog2},
                                                          {"flips", flips},
                                                          {"mux_selects", mux_selects},
                                                          {"mux_outputs", mux_outputs}};

std::string without_spaces(const std::string& text) {
    std::string all;
    for (const char c : text)
        if (c != ' ') all += c;
    return all;
}

bool is_name(const std::string& text) {
    const auto part_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(), part_of_name);
}

}  // namespace

monomial::factor monomial::read(const std::string& part) {
    const std::size_t end = part.size();
    const std::size_t open = std::min(part.find('('), end);
    const auto f = functions.find(part.substr(0, open));
    if (open < end && part.back() == ')' && f != functions.end())
        return factor{part.substr(open + 1, end - open - 2), 1, f->second};
    const bool has_power = end > 2 && part[end - 2] == '^' && part[end - 1] >= '1' && part[end - 1] <= '9';
    if (has_power) return factor{part.substr(0, end - 2), part[end - 1] - '0' + 0u, nullptr};
    return factor{part, 1, nullptr};
}

monomial::monomial(const std::string& text, const config::location& at) {
    const std::string whole = without_spaces(text);
    for (std::size_t begin = 0; begin <= whole.size();) {
        const std::size_t end = std::min(whole.find('*', begin), whole.size());
        const std::string part = whole.substr(begin, end - begin);
        begin = end + 1;
        if (part == "1") continue;
        const factor f = read(part);
        if (!is_name(f.name))
            throw config::error(at, "the term '" + text +
                                        "' is no product of parameters; write such as '1', 'width', "
                                        "'ports^2*vcs' or 'log2(vcs)*ports'");
        m_factors.push_back(f);
    }
}

double monomial::value(const std::function<double(const std::string& name)>& parameter) const {
    double product = 1;
    for (const factor& f : m_factors) {
        const double x = parameter(f.name);
        product *= f.function != nullptr ? f.function(x) : std::pow(x, f.power);
    }
    return product;
}

}  // namespace sare
