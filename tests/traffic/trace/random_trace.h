// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/// Random traces in Sare's text.
namespace sare::testing_support {

class random_trace {
  public:
    explicit random_trace(unsigned seed, std::uint32_t tasks = 5, unsigned steps = 60)
        : m_draw(seed), m_lines(tasks), m_open(tasks) {
        for (unsigned i = 0; i < steps; ++i) step();
        for (std::uint32_t t = 0; t < tasks; ++t)
            while (!m_open[t].empty()) wait(t);
    }

    /// Lines of a task that exchange their places: the trace may have no end any more.
    void disorder() {
        auto& lines = m_lines[below(m_lines.size())];
        if (lines.size() < 4) return;
        const std::size_t at = below(lines.size() - 1);
        std::swap(lines[at], lines[at + 1 + below(std::min<std::size_t>(lines.size() - at - 1, 6))]);
    }

    /// Tasks take turns, some lines each.
    std::string text() {
        std::ostringstream out;
        out << "sare-trace 2\ntasks " << m_lines.size() << "\ncommunicator 4 " << m_lines.size() - 1
            << " 1\n";
        std::vector<std::size_t> at(m_lines.size());
        for (bool more = true; more;) {
            more = false;
            for (std::size_t t = 0; t < at.size(); ++t)
                for (std::size_t n = below(3); at[t] < m_lines[t].size(); --n) {
                    more = true;
                    if (n == 0) break;
                    out << t << ' ' << m_lines[t][at[t]++] << '\n';
                }
        }
        return out.str();
    }

  private:
    std::size_t below(std::size_t n) { return m_draw() % n; }
    std::string number(std::size_t n) { return std::to_string(below(n)); }
    template <class... Words>
    void add(std::size_t task, const Words&... words) {
        std::ostringstream line;
        ((line << words << ' '), ...);
        std::string text = line.str();
        text.pop_back();
        m_lines[task].push_back(text);
    }
    std::string request(std::size_t task) {
        const std::string name = std::to_string(++m_name);
        m_open[task].push_back(name);
        return name;
    }
    void wait(std::size_t task) {
        const std::size_t which = below(m_open[task].size());
        add(task, "wait", m_open[task][which]);
        m_open[task].erase(m_open[task].begin() + static_cast<std::ptrdiff_t>(which));
    }

    void step() {
        const std::size_t n = m_lines.size(), from = below(n), to = (from + 1 + below(n - 1)) % n;
        const std::string bytes = number(3000), tag = number(3);
        switch (below(9)) {
            case 0:
                add(from, "compute", number(500) + "e-9");
                break;
            case 1:
                add(from, "flops", number(500));
                break;
            case 2:
            case 3:
                add(from, "send", to, bytes, tag);
                add(to, "recv", from, bytes, tag);
                break;
            case 4:
                add(from, "isend", to, bytes, tag, request(from));
                add(to, "recv", from, bytes, tag);
                break;
            case 5:
                add(to, "irecv", from, bytes, tag, request(to));
                add(from, "send", to, bytes, tag);
                break;
            case 6:
                for (std::size_t t = 0; t < n; ++t) add(t, "allreduce", bytes, "seconds=1e-08");
                break;
            case 7: {
                const std::string root = number(2);
                add(1, "bcast", root, bytes, "on=4");
                add(n - 1, "bcast", root, bytes, "on=4");
                break;
            }
            default:
                if (!m_open[from].empty()) wait(from);
        }
    }

    std::mt19937 m_draw;
    std::vector<std::vector<std::string>> m_lines;
    std::vector<std::vector<std::string>> m_open;
    std::size_t m_name = 0;
};

}  // namespace sare::testing_support
