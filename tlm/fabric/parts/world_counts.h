// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/world.h"
#include "tlm/fabric/parts/remote_links.h"

namespace sare {

/// Counters of a network that several processes run. flits_injected() to changes() are sums over all
/// processes, which must call them together; all other functions are about routers and nodes of this process.
class world_counts final : public counted_network {
  public:
    /// `here`: counters of this process; `links`: its links to the others; both must outlive this object.
    world_counts(const counted_network& here, const remote_links& links)
        : m_here(here), m_links(links), m_world(links.processes()) {}

    const topology* map() const override { return m_here.map(); }
    world* processes() const override { return &m_world; }
    std::uint32_t nodes() const override { return m_here.nodes(); }
    std::uint64_t flits_injected() const override { return m_world.sum(m_here.flits_injected()); }
    std::uint64_t flits_consumed() const override { return m_world.sum(m_here.flits_consumed()); }
    std::uint64_t packets_injected() const override { return m_world.sum(m_here.packets_injected()); }
    std::uint64_t packets_consumed() const override { return m_world.sum(m_here.packets_consumed()); }
    std::uint64_t messages_started() const override { return m_world.sum(m_here.messages_started()); }
    std::uint64_t flit_hops() const override { return m_world.sum(m_here.flit_hops()); }
    /// Returns the drops of all processes in rank 0; in other ranks `dropped` is the total over all
    /// processes, and everything else is of this process. `copied` and `detoured` are of this process in
    /// every rank. All processes must call it together; the reference is valid until the next call.
    const packet_changes& changes() const override;
    node_counts counts_of(std::uint32_t node) const override { return m_here.counts_of(node); }
    std::uint32_t classes() const override { return m_here.classes(); }
    std::uint32_t class_of(const route_header& way) const override { return m_here.class_of(way); }
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_here.waiting_of(node, message_class);
    }
    generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_here.unsent_of(node, message_class);
    }
    std::uint32_t vcs() const override { return m_here.vcs(); }
    std::uint32_t routers() const override { return m_here.routers(); }
    std::uint32_t ports(std::uint32_t router) const override { return m_here.ports(router); }
    std::uint32_t flits_sent() const override { return m_here.flits_sent(); }
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override {
        return m_here.flits_sent(router, port, vc);
    }
    void count_buffers(std::vector<std::uint64_t>& bins) const override { m_here.count_buffers(bins); }

  private:
    const counted_network& m_here;
    const remote_links& m_links;
    world& m_world;
    mutable packet_changes m_changes;
};

}  // namespace sare
