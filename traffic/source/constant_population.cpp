// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/driven_source.h"

namespace sare::traffic::variants::constant_population {
namespace {

enum class maker { sender, consumer };

struct parameters : spatial_parameters {
    std::uint32_t messages = 1;
    std::uint64_t total = 0;
    maker next = maker::sender;
    cycle_t time_out = usual_time_out;
};

/// A source with a fixed number of messages under way; a node that the pattern silences makes none.
class constant_population : public driven_source {
  public:
    constant_population(const parameters& p, const workload_context& c)
        : driven_source(p, c, p.time_out), m_messages(p.messages), m_total(p.total), m_next(p.next) {}

    void delivered(const delivery& d) override {
        count(d);
        const bool moves = m_next == maker::consumer && !silent(d.what.destination);
        send(moves ? d.what.destination : d.what.source, 0);
    }

    traffic_loop loop() const override { return traffic_loop::closed; }
    config::value results() const override {
        config::value out = driven_source::results();
        out.set("population", config::number(under_way()));
        return out;
    }

  private:
    /// Begins with a total that is dealt out to the nodes in turn.
    void begin(std::uint32_t nodes) override {
        std::vector<std::uint32_t> senders;
        for (std::uint32_t i = 0; i < nodes; ++i)
            if (!silent(i)) senders.push_back(i);
        if (senders.empty()) return;
        const std::uint64_t all = m_total != 0 ? m_total : std::uint64_t{m_messages} * senders.size();
        for (std::uint64_t k = 0; k < all; ++k) send(senders[k % senders.size()], 0);
    }

    /// Makes another message at the sender, as the consumer does not know of the lost one.
    void missed(std::uint32_t source, std::uint32_t) override { send(source, 0); }

    std::uint32_t m_messages;
    std::uint64_t m_total;
    maker m_next;
};

const config::registration<workload, const workload_context&> registered{
    "constant_population",
    "As many messages under way all the time: for each one consumed a new one is made (closed loop).",
    config::schema<parameters>()
        .include(spatial_fields())
        .number("messages", &parameters::messages, 1, 1 << 20, "messages", "under way per node")
        .number("total", &parameters::total, 0, 1e9, "messages",
                "under way in all, instead of messages; 0: by messages")
        .choice("next", &parameters::next, {{"sender", maker::sender}, {"consumer", maker::consumer}},
                "the node that makes the new one: that of the consumed one, or the one that has consumed it")
        .number("time_out", &parameters::time_out, 1, 1e12, "cycles", time_out_text),
    [](const parameters& p, const config::value&, const workload_context& c) {
        return in_class(p.message_class, std::make_unique<constant_population>(p, c));
    }};

}  // namespace
}  // namespace sare::traffic::variants::constant_population
