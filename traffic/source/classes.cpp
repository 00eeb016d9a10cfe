// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/classes.h"

#include "tlm/api/awaits_losses.h"
#include "tlm/api/clients/several_workloads.h"
#include "tlm/api/forwarding.h"
#include "tlm/api/refusals.h"
#include "tlm/api/synchronized_workload.h"
#include "traffic/source/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::traffic {
namespace {

/// The network as one of the sources sees it: its classes begin with 0, and of the source queues it sees its
/// own messages.
class mixed_source final : public forwarding_port {
  public:
    /// A source and its place among the classes.
    struct part {
        std::uint32_t first_class;  ///< message class of the network that the source uses as its class 0; its
                                    ///< class k is the network's first_class + k
        /// The source.
        std::unique_ptr<workload> work;
    };
    mixed_source(part its, std::uint32_t number)
        : first(its.first_class),
          count(its.work->classes_needed()),
          work(std::move(its.work)),
          m_seed_shift(number * 0x9e3779b97f4a7c15ULL) {}

    void start(traffic_port& port) {
        m_port = &port;
        work->start(*this);
    }
    message own(const message& m) const {
        message of_work = m;
        of_work.message_class -= first;
        return of_work;
    }

    /// @name traffic_port
    /// @{
    std::uint32_t classes() const override { return count; }
    /// Returns the seed of the source; the first one's is that of a source alone.
    std::uint64_t seed() const override { return m_port->seed() + m_seed_shift; }
    void send(const message& m) override {
        message placed = m;
        placed.message_class += first;
        m_port->send(placed);
    }
    std::uint32_t queued(std::uint32_t node) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t c = 0; c < count; ++c) sum += m_port->queued_of(node, first + c);
        return sum;
    }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_port->queued_of(node, first + message_class);
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m_port->call_when_queued(node, first + message_class, level);
    }
    /// @}

    const std::uint32_t first, count;
    const std::unique_ptr<workload> work;

  private:
    const std::uint64_t m_seed_shift;
};

/// Several sources side by side as one workload, each with message classes of its own; also a single source
/// whose classes do not begin with 0.
class class_mix : public several_workloads,
                  public refusing_workload,
                  public synchronized_workload,
                  public loss_awaiting_workload {
  public:
    /// `parts`: the sources, in ascending order of their first classes.
    explicit class_mix(std::vector<mixed_source::part> parts) {
        std::sort(parts.begin(), parts.end(),
                  [](const auto& a, const auto& b) { return a.first_class < b.first_class; });
        for (mixed_source::part& p : parts) {
            m_works.push_back(p.work.get());
            m_members.push_back(
                std::make_unique<mixed_source>(std::move(p), static_cast<std::uint32_t>(m_members.size())));
        }
    }

    void start(traffic_port& port) override {
        m_port = &port;
        for (const auto& m : m_members) m->start(port);
    }
    void delivered(const delivery& d) override {
        mixed_source& m = of_class(d.what.message_class);
        if (m.work->wants_deliveries()) m.work->delivered({m.own(d.what), d.injected, d.consumed});
    }
    void dropped_at(const message& what, const std::string& cause, const drop_location& at) override {
        const mixed_source& m = of_class(what.message_class);
        m.work->dropped_at(m.own(what), cause, at);
    }
    void lost(const message& what) override {
        const mixed_source& m = of_class(what.message_class);
        m.work->lost(m.own(what));
    }
    void packet_delivered(const message& what, std::uint32_t node, cycle_t injected, cycle_t now) override {
        const mixed_source& m = of_class(what.message_class);
        if (m.work->wants_packets()) m.work->packet_delivered(m.own(what), node, injected, now);
    }
    bool wants_deliveries() const override { return any(&workload::wants_deliveries); }
    void queue_space(std::uint32_t node, std::uint32_t message_class) override {
        const mixed_source& m = of_class(message_class);
        m.work->queue_space(node, message_class - m.first);
    }
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        const mixed_source& m = of_class(message_class);
        if (message_class < m.first) return {};
        return m.work->backlog_of(node, message_class - m.first);
    }
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override {
        const mixed_source& m = of_class(message_class);
        if (message_class < m.first) return {};
        return refused_by(*m.work, node, message_class - m.first);
    }
    double expected_load() const override {
        double sum = 0;
        for (const workload* const w : m_works) sum += w->expected_load();
        return sum;
    }
    std::uint32_t classes_needed() const override {
        return m_members.back()->first + m_members.back()->count;
    }
    /// Returns the results; for several sources by class, if they have any.
    config::value results() const override {
        if (m_members.size() == 1) return m_works[0]->results();
        config::value out = config::value::map({});
        for (const auto& m : m_members)
            if (config::value its = m->work->results(); !its.entries().empty())
                out.set(fmt::format("class_{}", m->first), std::move(its));
        return out;
    }
    /// Returns the first source's tables; open-loop sources, of which there may be several, have none.
    std::vector<std::pair<std::string, std::string>> tables() const override { return m_works[0]->tables(); }
    bool runs_by_nodes() const override { return all(&workload::runs_by_nodes); }
    bool awaits_losses() const override {
        return std::any_of(m_works.begin(), m_works.end(),
                           [](const workload* w) { return sare::awaits_losses(*w); });
    }
    bool agrees() const override {
        return std::any_of(m_works.begin(), m_works.end(),
                           [](const workload* w) { return sare::agrees(*w); });
    }
    cycle_t next_agreement() const override {
        cycle_t next = never;
        for (const workload* const w : m_works) next = std::min(next, next_agreement_of(*w));
        return next;
    }
    void agree(world& all, std::uint32_t most) override {
        for (workload* const w : m_works)
            if (auto* const its = dynamic_cast<synchronized_workload*>(w);
                its != nullptr && its->next_agreement() <= m_port->now())
                its->agree(all, most);
    }
    void add_up(world& all) override {
        for (workload* const w : m_works) w->add_up(all);
    }

  private:
    mixed_source& of_class(std::uint32_t message_class) const {
        std::size_t k = m_members.size() - 1;
        while (k > 0 && m_members[k]->first > message_class) --k;
        return *m_members[k];
    }

    std::vector<std::unique_ptr<mixed_source>> m_members;  ///< the sources with what each needs, in the order
                                                           ///< of their classes
    traffic_port* m_port = nullptr;
};

/// Several open-loop sources, each with a share of the load.
class open_loop_mix final : public class_mix, public open_loop_source {
  public:
    /// `shares`: share of the load of each part, in the order of `parts`.
    open_loop_mix(std::vector<mixed_source::part> parts, const std::vector<double>& shares)
        : class_mix(std::move(parts)) {
        for (std::size_t k = 0; k < m_works.size(); ++k)
            m_sources.emplace_back(dynamic_cast<open_loop_source*>(m_works[k]), shares[k]);
    }
    bool demand(std::uint32_t source, std::vector<double>& to) const override {
        for (const auto& [its, share] : m_sources) {
            std::vector<double> all(to.size());
            if (!its->demand(source, all)) return false;
            for (std::size_t d = 0; d < to.size(); ++d) to[d] += share * all[d];
        }
        return true;
    }
    bool uniform() const override {
        return std::all_of(m_sources.begin(), m_sources.end(),
                           [](const auto& s) { return s.first->uniform(); });
    }
    bool refuses() const override {
        return std::any_of(m_sources.begin(), m_sources.end(),
                           [](const auto& s) { return s.first->refuses(); });
    }
    void stop_at(cycle_t end) override {
        for (const auto& [its, share] : m_sources) its->stop_at(end);
    }

  private:
    std::vector<std::pair<open_loop_source*, double>> m_sources;  ///< sources with their shares of the load
};

/// Returns the sources as one workload; an open_loop_source if all of them are. `shares`: share of the load
/// of each, in ascending order of classes, as `parts`.
workload* mix_of(std::vector<mixed_source::part> parts, const std::vector<double>& shares) {
    const bool open = std::all_of(parts.begin(), parts.end(), [](const mixed_source::part& p) {
        return dynamic_cast<const open_loop_source*>(p.work.get()) != nullptr;
    });
    if (open) return new open_loop_mix(std::move(parts), shares);
    return new class_mix(std::move(parts));
}

constexpr std::int64_t last_class = 15;

/// Returns the shares of the load by class; throws config::error.
std::map<std::uint32_t, double> read_shares(const config::value& given) {
    if (given.type() != config::value::kind::map || given.entries().empty())
        throw config::error(given.where(),
                            "'classes' must have the share of each class, such as {0: 0.8, 1: 0.2}");
    std::map<std::uint32_t, double> all;
    double sum = 0;
    for (const auto& [key, share] : given.entries()) {
        const auto c =
            config::to_integer(config::value::scalar(key, share.where()), "classes", 0, last_class);
        sum += all[static_cast<std::uint32_t>(c)] =
            config::to_number(share, "the share of class " + key, 0, 1e6);
    }
    if (sum <= 0) throw config::error(given.where(), "'classes' gives no class a share; one must be above 0");
    for (auto& [c, share] : all) share /= sum;
    return all;
}

}  // namespace

std::uint32_t read_class(const config::value& given) {
    if (given.type() == config::value::kind::null) return 0;
    return static_cast<std::uint32_t>(config::to_integer(given, "class", 0, last_class));
}

workload* in_class(const config::value& message_class, std::unique_ptr<workload> work) {
    const std::uint32_t first = read_class(message_class);
    if (first == 0) return work.release();
    std::vector<mixed_source::part> one;
    one.push_back({first, std::move(work)});
    return mix_of(std::move(one), {1});
}

workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double)>& make) {
    if (shares.type() == config::value::kind::null) return in_class(message_class, make(1));
    if (message_class.type() != config::value::kind::null)
        throw config::error(message_class.where(),
                            "'class' is that of all messages, and 'classes' shares them out; leave out one");
    std::vector<mixed_source::part> parts;
    std::vector<double> of_load;
    for (const auto& [c, share] : read_shares(shares)) {
        if (share <= 0) continue;
        parts.push_back({c, make(share)});
        of_load.push_back(share);
    }
    return mix_of(std::move(parts), of_load);
}

}  // namespace sare::traffic
