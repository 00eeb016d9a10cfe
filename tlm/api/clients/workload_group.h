// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/clients/queue_space_requests.h"
#include "tlm/api/clients/several_workloads.h"
#include "tlm/api/forwarding.h"
#include "tlm/api/refusals.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Several workloads on one network, as one workload. Each uses all bits of message::tag and is told of its
/// own messages only; the workloads compete for the source queues and the network. A group cannot run in
/// several processes.
class workload_group final : public several_workloads, public refusing_workload {
  public:
    workload_group();
    ~workload_group() override;

    /// Adds a workload, which must outlive the group. `name`: its key in results(), and with a dot the
    /// beginning of the names of its files. `first`: only if start() has been called: first cycle of the
    /// workload, which must not have been run; before start() it is ignored. Throws std::invalid_argument for
    /// a name that the group has already.
    void add(const std::string& name, workload& w, cycle_t first = 0);

    void start(traffic_port& port) override;
    void delivered(const delivery& d) override;
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override;
    void lost(const message& m) override;
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    void judged(const judged_sources& all) override;
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override;
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override;
    double expected_load() const override;
    std::uint32_t classes_needed() const override { return std::max(1U, most(&workload::classes_needed)); }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    result_streams files() const override;
    bool observe(const observation& how) override;
    void use(const host_services& host) override;
    config::value host_results() const override;
    std::string failure() const override;
    void serialize(archive& a) override;

  private:
    class member;  ///< a workload with its name, and the port that it sees
    /// A message that is queued or in the network: the number of the workload that sent it, and the tag that
    /// this workload gave it. In the network its tag is the index in m_slots.
    struct slot {
        std::uint32_t sender = 0;  ///< number of the workload, in the order of add()
        std::uint64_t tag = 0;     ///< tag that the workload gave
        void serialize(archive& a);
    };
    /// Stores `sender` and `tag` in a free slot of m_slots, added if there is none, and returns the slot's
    /// index.
    std::uint64_t take_slot(std::uint32_t sender, std::uint64_t tag);
    /// Returns the workload that sent `m`, and `m` with the tag that this workload gave it.
    std::pair<workload&, message> owner_of(const message& m) const;

    std::vector<std::unique_ptr<member>> m_members;  ///< workloads, in the order of add()
    traffic_port* m_port = nullptr;                  ///< port of start(), not owned; null before start()
    queue_space_requests m_requests;                 ///< requests of the workloads for queue_space()
    std::vector<slot> m_slots;          ///< messages under way, by tag in the network; some slots are free
    std::vector<std::uint64_t> m_free;  ///< indices in m_slots that are free
};

}  // namespace sare
