// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/table.h"
#include "traffic/flows/latency_bins.h"
#include "traffic/flows/merged_flows.h"
#include "traffic/flows/options.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sare::traffic {

/// The workload `flows`: flows from one node to another, each at its own rate, and answers to their messages.
/// An open loop: it generates messages whether the network accepts them or not.
class flows final : public timed_source<merged_flows> {
  public:
    /// `section`: section of the workload, for errors. Throws config::error as flow_parameters::read() does.
    flows(const flow_parameters& p, const config::value& section, const workload_context& c);

    void start(traffic_port& port) override;
    bool wants_deliveries() const override { return true; }
    traffic_loop loop() const override { return traffic_loop::open; }
    void delivered(const delivery& d) override;
    void lost(const message& m) override { ++m_counts[m.tag].lost; }
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    void judged(const judged_sources& all) override;
    generated_counts generated(cycle_t now) override;
    bool demand(std::uint32_t source, std::vector<double>& to) const override;
    std::uint32_t largest_message() const override { return m_largest; }
    std::uint32_t classes_needed() const override { return m_classes; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    void add_up(world& all) override;
    void serialize(archive& a) override;

  protected:
    void prepare(merged_flows::clock& arrivals, std::uint32_t i, const traffic_port& port) override;
    std::unique_ptr<pattern> choose_pattern(const traffic_port& port) override;

  private:
    class to_destinations;
    using list = std::shared_ptr<const flow_list>;

    /// One direction of a flow: its messages, or the answers to its messages. The tag of a message is the
    /// index of its leg in m_legs.
    struct leg {
        /// Index of the flow in m_flows.
        std::uint32_t flow = 0;
        bool is_reply = false;
    };
    /// Numbers of messages of a leg.
    struct counts {
        /// Since the start: handed to the network; received; lost.
        std::uint64_t sent = 0, received = 0, lost = 0;
        std::uint64_t made = 0, came = 0;  ///< messages made in the measured window; messages received in it
        std::uint64_t made_before = 0;     ///< number of messages made before the measured window
    };
    /// Verdict whether a leg meets its requirements, in the order in which results list them; unknown: the
    /// window was too short to say.
    enum class verdict : std::uint8_t { unmet, unknown, met };
    /// The requirements of a leg, and its results in the measured window.
    struct outcome {
        std::size_t leg = 0;  ///< index in m_legs
        /// Rates in flits per cycle: asked for (the flow's rate times load); made; delivered; required to be
        /// delivered.
        double asked = 0, made = 0, delivered = 0, required = 0;
        double latency_slack = 0;  ///< cycles by which the latency that 99% of the messages do not exceed is
                                   ///< below the required one; NaN: no latency is required
        verdict is = verdict::met;
    };

    flows(const flow_parameters& p, const workload_context& c, const list& all);
    void begin_message(std::uint32_t sender);
    void answer(const message& request);
    std::pair<std::uint32_t, std::uint32_t> source_and_class(std::uint32_t sender) const;
    /// Returns the number of messages of each leg made before cycle `until`, messages that wait for room in
    /// their source queue included.
    std::vector<std::uint64_t> made(cycle_t until) const;
    const flow& flow_of(const leg& l) const { return (*m_flows)[l.flow]; }
    std::uint32_t flits_of(const leg& l) const { return l.is_reply ? flow_of(l).reply : flow_of(l).length; }
    std::uint32_t source_of(const leg& l) const {
        return l.is_reply ? flow_of(l).destination : flow_of(l).source;
    }
    std::uint32_t destination_of(const leg& l) const {
        return l.is_reply ? flow_of(l).source : flow_of(l).destination;
    }
    std::string name_of(std::uint32_t place) const;
    std::string name_of(const leg& l) const;
    verdict rate_verdict(const outcome& o) const;
    verdict source_verdict(const outcome& o) const;
    verdict latency_verdict(const outcome& o) const;
    outcome outcome_of(std::size_t leg) const;
    config::value in_unit(const outcome& o) const;
    config::value text_of(const outcome& o) const;
    config::value fairness(const std::vector<outcome>& all) const;
    /// Returns the outcomes of all legs: unmet ones first, among these the worst first.
    std::vector<outcome> outcomes() const;

    list m_flows;
    std::vector<std::uint32_t> m_sent_classes;  ///< message classes that nodes send, answers not included
    double m_load;                              ///< parameter `load`, a factor of all rates
    double m_bytes_per_second;  ///< bytes per second of a rate of one flit per cycle; 0: not known
    place_names m_names;
    std::vector<leg> m_legs;
    /// Indices of the flows with a rate above 0, by source node and message class.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> m_of_sender;
    std::vector<std::uint32_t> m_leg_of;  ///< index of the leg of each flow; the leg of its answers, if it
                                          ///< has any, follows
    /// Largest number of flits of a message; number of message classes.
    std::uint32_t m_largest = 0, m_classes = 1;
    traffic_port* m_port = nullptr;
    std::vector<counts> m_counts;           ///< counts of each leg
    std::vector<latency_bins> m_latencies;  ///< latencies of each leg in the measured window
    generated_counts m_answers;             ///< answers generated so far
    judged_sources m_judged;                ///< last argument of judged()
    bool m_measures = false;                ///< true: the measured window is open
    cycle_t m_window = 0;                   ///< number of cycles of the measured window
    cycle_t m_from = 0;                     ///< first cycle of the measured window
};

}  // namespace sare::traffic
