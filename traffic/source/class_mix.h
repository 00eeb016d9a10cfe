// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/awaits_losses.h"
#include "tlm/api/forwarding.h"
#include "tlm/api/refusals.h"
#include "tlm/api/synchronized_workload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sare::traffic {

/// Several sources side by side as one workload, each with message classes of its own; also a single source
/// whose classes do not begin with 0.
class class_mix final : public workload,
                        public refusing_workload,
                        public synchronized_workload,
                        public loss_awaiting_workload {
  public:
    /// A source and its place among the classes.
    struct part {
        std::uint32_t first_class;  ///< message class of the network that the source uses as its class 0; its
                                    ///< class k is the network's first_class + k
        /// The source.
        std::unique_ptr<workload> work;
    };
    /// `parts`: the sources, in ascending order of their first classes.
    explicit class_mix(std::vector<part> parts);
    ~class_mix() override;

    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override;
    void lost(const message& m) override;
    bool wants_packets() const override;
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override;
    bool wants_deliveries() const override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    bool finished() const override;
    bool runs_to_completion() const override;
    traffic_loop loop() const override;
    double progress() const override;
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    generated_counts generated(cycle_t now) override;
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override;
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override;
    double expected_load() const override;
    std::uint32_t largest_message() const override;
    std::uint32_t nodes_needed() const override;
    std::uint32_t classes_needed() const override;
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    bool runs_by_nodes() const override;
    bool awaits_losses() const override;
    bool agrees() const override;
    cycle_t next_agreement() const override;
    void agree(world& all, std::uint32_t most) override;
    void add_up(world& all) override;
    standstill stuck() const override;
    void serialize(archive& a) override;

  private:
    class member;

    bool all(bool (workload::*is)() const) const;
    bool any(bool (workload::*is)() const) const;
    member& of_class(std::uint32_t message_class) const;

    std::vector<std::unique_ptr<member>> m_members;  ///< the sources with what each needs, in the order of
                                                     ///< their classes
    traffic_port* m_port = nullptr;
};

}  // namespace sare::traffic
