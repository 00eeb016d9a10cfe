// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace sare::chi {

/// Checks CHI's rules at one node of any kind. Its user must tell it of each flit that the node sends or
/// gets. Rules: TxnIDs and DBIDs not used twice; answers that fit their request; each data packet once;
/// retries and their credits; CompAck once and after its completion; one snoop of a line at a time, and none
/// before CompAck.
class checker_rules {
  public:
    /// Makes a checker. `bus_bytes`: bytes of data of a DAT flit, 16, 32 or 64 (not checked).
    explicit checker_rules(std::uint32_t bus_bytes) : m_bus_bytes(bus_bytes) {}

    /// Checks a flit that the node sends or gets; its `source` must be set.
    void flit_seen(const flit& f);

    /// The first ten violations as "time of the check: rule".
    std::vector<std::string> violations;
    std::uint64_t transactions = 0;  ///< number of transactions begun
    /// Number of requests without an answer, snoops without an answer, writes whose data are missing, and
    /// CompAcks to come. A transaction may count as a request and as a write.
    std::size_t open() const { return m_requests.size() + m_snoops.size() + m_acks.size() + m_writes.size(); }
    /// Returns `right`. If it is false, notes that `rule` is violated now, unless ten violations are noted.
    bool expect(bool right, const std::string& rule);

  private:
    using key =
        std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;  ///< requester, completer, and TxnID or DBID
    /// Request without a complete answer.
    struct request {
        flit f;                  ///< the request
        bool refused = false;    ///< true: RetryAck has come
        std::uint32_t data = 0;  ///< data packets that have come: bit n for DataID n
    };
    /// Write that has a DBID; op: write_back_full, or write_no_snp_full for all other requests with data.
    struct write {
        req op = req::write_back_full;
        std::uint32_t data = 0;  ///< as in `request`
    };
    /// Snoop without a complete answer.
    struct snooped {
        std::uint64_t line = 0;  ///< address of the line
        std::uint32_t data = 0;  ///< as in `request`
    };

    void on_request(const flit& f);
    void on_response(const flit& f);
    void on_data(const flit& f);
    void on_snoop(const flit& f);
    void completed(const flit& f);
    void answer_snoop(const flit& f);
    bool add_packet(std::uint32_t& come, const flit& f);  ///< notes a packet in `come`; true: it is the last

    const std::uint32_t m_bus_bytes;
    /// Requests without an answer, by requester and TxnID.
    std::map<std::pair<std::uint32_t, std::uint16_t>, request> m_requests;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>
        m_credits;                        ///< credits of PCrdGrant not used yet, by requester and completer
    std::map<key, write> m_writes;        ///< writes that have a DBID and wait for data
    std::map<key, std::uint64_t> m_acks;  ///< line of each CompAck that is still to come
    std::map<key, snooped> m_snoops;      ///< snoops without an answer, by snooped node, home and TxnID
};

/// Module between the socket of a node and the socket of its interface. It passes all calls on and checks
/// them by checker_rules; it also checks link credits.
class checker final : public sc_core::sc_module, public forward_if, public backward_if {
  public:
    /// Makes a checker. `id`: number of the node, its SrcID; `bus_bytes`: as for checker_rules. Neither is
    /// checked.
    checker(const sc_core::sc_module_name& name, std::uint32_t id, std::uint32_t bus_bytes);

    interface_socket node;  ///< socket to be bound to the node
    node_socket network;    ///< socket to be bound to the interface
    checker_rules rules;    ///< rules, with the violations so far

    const char* kind() const override { return "sare::chi::checker"; }
    /// Prints to `out` name, kind, node, `transactions` and open() of `rules`, and the violations.
    void dump(std::ostream& out = std::cout) const override;
    tlm::tlm_sync_enum nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) override;
    bool debug(std::uint32_t target, const debug_access& a) override { return network->debug(target, a); }
    bool debug(const debug_access& a) override { return node->debug(a); }
    void join(std::shared_ptr<access_side> accesses) override { network->join(std::move(accesses)); }

  private:
    void link(std::array<std::uint32_t, channels>& credits, const flit& f, const char* from);

    const std::uint32_t m_node;  ///< number of the node
    /// Link credits in each direction, by channel.
    std::array<std::uint32_t, channels> m_to_network{}, m_to_node{};
};

}  // namespace sare::chi
