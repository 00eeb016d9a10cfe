// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace sare::chi {

/// CHI's rules at one node of any kind, which is told of each flit that the node sends or gets: TxnIDs and
/// DBIDs in use, answers that fit their request, each data packet once, retries and their credits, CompAck
/// once and after its completion, one snoop a line at a time and none before CompAck.
class checker_rules {
  public:
    explicit checker_rules(std::uint32_t bus_bytes) : m_bus_bytes(bus_bytes) {}

    void flit_seen(const flit& f);

    std::vector<std::string> violations;  ///< the first ten, with their times
    std::uint64_t transactions = 0;       ///< number of transactions begun
    /// Number of transactions, snoops and acknowledgements that are not over.
    std::size_t open() const { return m_requests.size() + m_snoops.size() + m_acks.size() + m_writes.size(); }

  private:
    using key =
        std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;  ///< requester, completer, TxnID or DBID
    struct request {
        flit f;
        bool refused = false;    ///< RetryAck has come
        std::uint32_t data = 0;  ///< packets so far, a bit each by DataID
    };
    struct write {
        req op = req::write_back_full;
        std::uint32_t data = 0;
    };
    struct snooped {
        std::uint64_t line = 0;
        std::uint32_t data = 0;
    };

    void on_request(const flit& f);
    void on_response(const flit& f);
    void on_data(const flit& f);
    void on_snoop(const flit& f);
    void completed(const flit& f);
    void answer_snoop(const flit& f);
    bool add_packet(std::uint32_t& come, const flit& f);
    bool expect(bool right, const std::string& rule);

    const std::uint32_t m_bus_bytes;
    std::map<std::pair<std::uint32_t, std::uint16_t>, request> m_requests;  ///< by requester and TxnID
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>
        m_credits;                        ///< PCrdGrant, by requester and completer
    std::map<key, write> m_writes;        ///< writes that have a DBID and wait for data
    std::map<key, std::uint64_t> m_acks;  ///< line of each CompAck that is to come
    std::map<key, snooped> m_snoops;      ///< by snooped node, home and TxnID
};

/// A module between the sockets of a node and its interface. It checks link credits, too.
class checker final : public sc_core::sc_module, public forward_if, public backward_if {
  public:
    /// `id`: number of the node, its SrcID.
    checker(const sc_core::sc_module_name& name, std::uint32_t id, std::uint32_t bus_bytes);

    interface_socket node;  ///< for the node
    node_socket network;    ///< for the interface
    checker_rules rules;

    const char* kind() const override { return "sare::chi::checker"; }
    /// Prints name, kind, the transactions seen and the violations.
    void dump(std::ostream& out = std::cout) const override;
    tlm::tlm_sync_enum nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) override;
    bool debug(std::uint32_t target, const debug_access& a) override { return network->debug(target, a); }
    bool debug(const debug_access& a) override { return node->debug(a); }
    void join(std::shared_ptr<access_side> accesses) override { network->join(std::move(accesses)); }

  private:
    void link(std::array<std::uint32_t, channels>& credits, const flit& f, const char* from);

    const std::uint32_t m_node;
    std::array<std::uint32_t, channels> m_to_network{}, m_to_node{};  ///< link credits
};

}  // namespace sare::chi
