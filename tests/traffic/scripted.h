// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/fake_port.h"
#include "traffic/program/executor/executor.h"

#include <sstream>

namespace sare::testing_support {

using traffic::op;
using traffic::operation;

/// A program written down: the operations of every task.
class scripted final : public traffic::program {
  public:
    explicit scripted(std::vector<std::vector<operation>> all) : m_all(std::move(all)), m_at(m_all.size()) {}

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_all.size()); }
    bool next(std::uint32_t task, operation& o) override {
        if (m_at[task] == m_all[task].size()) return false;
        o = m_all[task][m_at[task]++];
        return true;
    }
    const traffic::communicator& group(std::uint32_t id) const override { return groups.at(id); }
    std::string title() const override { return "the script"; }
    std::string phase(std::int64_t number) const override { return "phase " + std::to_string(number); }

    std::map<std::uint32_t, traffic::listed_tasks> groups;

  private:
    std::vector<std::vector<operation>> m_all;
    std::vector<std::size_t> m_at;
};

inline operation message(op what, std::uint32_t peer, std::uint64_t bytes, std::int64_t tag = 0,
                         std::uint64_t request = 0) {
    operation o;
    o.what = what;
    o.peer = peer;
    o.bytes = bytes;
    o.tag = tag;
    o.request = request;
    return o;
}
inline operation compute(double seconds) {
    operation o;
    o.seconds = seconds;
    return o;
}
inline operation plain(op what, std::uint64_t request = 0) {
    operation o;
    o.what = what;
    o.request = request;
    return o;
}
inline operation mark(std::int64_t number) {
    operation o = plain(op::mark);
    o.tag = number;
    return o;
}
inline operation collective(op what, std::uint64_t bytes, std::uint32_t communicator = 0,
                            std::uint64_t request = 0) {
    operation o = plain(what, request);
    o.bytes = bytes;
    o.communicator = communicator;
    return o;
}
/// Beside its task, by a name, when others have ended.
inline operation graph(operation o, std::uint64_t name, std::vector<traffic::requirement> needs = {}) {
    o.in_sequence = false;
    o.request = name;
    o.needs = std::move(needs);
    return o;
}

/// The run of a script, a task on each node.
struct scripted_run {
    explicit scripted_run(std::unique_ptr<scripted> p, traffic::executor_parameters parameters = {},
                          std::uint32_t nodes = 0)
        : port(nodes != 0 ? nodes : std::max(p->tasks(), 1u)),
          w(std::make_unique<traffic::executor>(std::move(p), parameters,
                                                config::location{"test.yaml", 1, 2})) {
        w->start(port);
        port.run(*w, 1000000);
    }
    explicit scripted_run(std::vector<std::vector<operation>> all, traffic::executor_parameters p = {})
        : scripted_run(std::make_unique<scripted>(std::move(all)), p) {}

    std::uint64_t number(const char* key) const { return std::stoull(w->results().find(key)->text()); }
    std::uint64_t cycles() const { return number("makespan_cycles"); }
    /// A cell of tasks.csv.
    std::uint64_t cell(std::size_t task, std::size_t column) const {
        std::istringstream csv(w->tables().at(0).second);
        std::string line, word;
        for (std::size_t i = 0; i <= task + 1; ++i) std::getline(csv, line);
        std::istringstream words(line);
        for (std::size_t i = 0; i <= column; ++i) std::getline(words, word, ',');
        return std::stoull(word);
    }
    std::uint64_t finish(std::size_t task) const { return cell(task, 9); }

    fake_port port;
    std::unique_ptr<traffic::executor> w;
};

}  // namespace sare::testing_support
