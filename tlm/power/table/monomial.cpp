// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/table/monomial.h"

#include <cmath>
#include <regex>

namespace sare {

monomial::monomial(const std::string& text, const config::location& at) {
    static const std::regex form(R"(\s*(?:1|(log2)\(\s*(\w+)\s*\)|([A-Za-z_]\w*)(?:\^([1-9]))?)\s*)");
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('*', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        std::smatch found;
        if (!std::regex_match(part, found, form))
            throw config::error(at, "the term '" + text +
                                        "' is no product of parameters; write such as '1', 'width', "
                                        "'ports^2*vcs' or 'log2(vcs)*ports'");
        if (found[1].matched)
            m_factors.push_back({found[2], 1, true});
        else if (found[3].matched)
            m_factors.push_back({found[3], found[4].matched ? found[4].str()[0] - '0' + 0u : 1u, false});
        begin = end + 1;
    }
}

double monomial::value(const std::function<double(const std::string& name)>& parameter) const {
    double product = 1;
    for (const factor& f : m_factors) {
        const double x = parameter(f.name);
        product *= f.logarithm ? std::log2(x) : std::pow(x, f.power);
    }
    return product;
}

}  // namespace sare
