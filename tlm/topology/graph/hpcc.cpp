// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/schema.h"
#include "tlm/topology/graph/foreign_network.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

namespace sare {
namespace {

/// The lines of a topology of HPCC.
class hpcc_lines {
  public:
    hpcc_lines(const std::string& text, const std::string& file) : m_in(text), m_at{file, 0, 1} {}

    foreign_network read() {
        const std::uint32_t nodes = 1U << 24;
        next("three numbers: nodes, switches and links", 3);
        const std::uint32_t all = number(0, nodes), switches = number(1, all), links = number(2, 1U << 26);
        foreign_network net;
        for (std::uint32_t i = 0; i < all; ++i)
            net.vertices.push_back({fmt::format("h{}", i), m_at, {{"type", "host"}}});
        next("the numbers of the switches", switches);
        for (std::uint32_t i = 0; i < switches; ++i) {
            const std::uint32_t s = number(i, all - 1);
            net.vertices[s] = {fmt::format("s{}", s), m_at, {}};
        }
        for (std::uint32_t i = 0; i < links; ++i) {
            next("a link: two nodes, rate, delay and error rate", 5);
            if (std::strtod(m_words[4].c_str(), nullptr) > 0)
                throw config::error(m_at,
                                    "the error rate is " + m_words[4] + "; it is read only where it is 0");
            net.edges.push_back({number(0, all - 1),
                                 number(1, all - 1),
                                 true,
                                 m_at,
                                 {{"bandwidth", m_words[2]}, {"delay", m_words[3]}}});
        }
        return net;
    }

  private:
    void next(const std::string& what, std::size_t words) {
        std::string line;
        for (m_words.clear(); m_words.empty() && std::getline(m_in, line); ++m_at.line) {
            std::istringstream in(line);
            m_words.assign(std::istream_iterator<std::string>(in), {});
        }
        if (m_words.size() != words)
            throw config::error(m_at, fmt::format("a topology of HPCC has here {}; there are {} words", what,
                                                  m_words.size()));
    }
    std::uint32_t number(std::size_t i, std::uint32_t most) const {
        return static_cast<std::uint32_t>(
            config::to_integer(config::value::scalar(m_words[i], m_at), "number", 0, most));
    }

    std::istringstream m_in;
    config::location m_at;
    std::vector<std::string> m_words;
};

}  // namespace

foreign_network read_hpcc(const std::string& text, const std::string& file) {
    return hpcc_lines(text, file).read();
}

}  // namespace sare
