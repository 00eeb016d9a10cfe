// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/order.h"

#include "traffic/program/executor/executor.h"
#include "traffic/trace/recorded.h"

#include <algorithm>
#include <deque>

namespace sare::traffic {
namespace {

/// A network without a network: a node for every task, and a cycle from each to each.
class no_network final : public traffic_port {
  public:
    explicit no_network(std::uint32_t nodes) : m_dims{nodes} {}

    std::uint32_t nodes() const override { return m_dims[0]; }
    std::uint32_t classes() const override { return 1; }
    std::uint64_t seed() const override { return 1; }
    cycle_t now() const override { return m_now; }
    double cycle_seconds() const override { return 1e-9; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t flits_for(std::uint64_t) const override { return 1; }
    void send(const message& m) override { m_on_the_way.push_back({m, m_now, m_now + 1}); }
    std::uint32_t queued(std::uint32_t) const override { return 0; }
    std::uint32_t queued_of(std::uint32_t, std::uint32_t) const override { return 0; }
    void call_when_queued(std::uint32_t, std::uint32_t, std::uint32_t) override {}

    /// Runs until nothing is left to do. `progress` gets the number of messages so far.
    void run(workload& w, const std::function<void(std::uint64_t)>& progress) {
        for (;;) {
            const cycle_t tick = w.next_tick();
            const cycle_t next = m_on_the_way.empty() ? tick : std::min(tick, m_on_the_way.front().consumed);
            if (next == workload::never) return;
            m_now = std::max(m_now, next);
            while (!m_on_the_way.empty() && m_on_the_way.front().consumed <= m_now) {
                const delivery d = m_on_the_way.front();
                m_on_the_way.pop_front();
                w.delivered(d);
                if (++m_messages % 65536 == 0 && progress) progress(m_messages);
            }
            if (w.next_tick() <= m_now) w.tick(m_now);
        }
    }

  private:
    std::vector<std::uint32_t> m_dims;
    cycle_t m_now = 0;
    std::uint64_t m_messages = 0;
    std::deque<delivery> m_on_the_way;  ///< messages in order of time
};

/// Limit on the open operations beside the sequences of all tasks, some 500 bytes each, of a first try.
constexpr std::uint32_t most_open = 1U << 17;

std::vector<std::string> execute(std::unique_ptr<program> what, const executor_parameters& p,
                                 const config::location& at,
                                 const std::function<void(std::uint64_t)>& progress) {
    executor runs(std::move(what), p, at);
    no_network port(runs.what().tasks());
    runs.start(port);
    port.run(runs, progress);
    return runs.finished() ? std::vector<std::string>{} : runs.waiting();
}

}  // namespace

std::vector<std::string> check_order(const std::string& path, const std::string& format,
                                     std::uint64_t eager_limit,
                                     const std::function<void(std::uint64_t)>& progress) {
    executor_parameters p;
    p.eager_limit = eager_limit;
    // Sends take their time, so that a task that only sends does not run ahead of the others to its end.
    p.overhead_send = 1e-9;
    const config::location at{path, 0, 0};
    const std::uint32_t as_replayed = p.lookahead;
    auto what = recorded_program(path, format);
    p.lookahead = std::clamp(most_open / std::max(what->tasks(), 1U), 64U, as_replayed);
    auto found = execute(std::move(what), p, at, progress);
    if (found.empty() || p.lookahead == as_replayed) return found;
    p.lookahead = as_replayed;
    return execute(recorded_program(path, format), p, at, progress);
}

}  // namespace sare::traffic
