// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/base/router_groups.h"
#include "tlm/router_api/base/wired_bank.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Base class for a router kind with a buffer for each input VC and credits for each output VC. A kind writes
/// run() only, which finds all arrivals in the buffers and decides which flits leave. Input VCs and output
/// VCs have numbers: port * vcs() + vc. A kind with more state extends clear(), serialize() and bytes().
class buffered_bank : public wired_bank {
  public:
    buffered_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
                  const router_terms& terms);

    void step(std::uint64_t* awake, cycle_t t) override;
    resets can_reset() const override { return resets::of_network; }
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_outputs[place(k, port * vcs() + vc)];
    }
    std::uint32_t flits_sent(std::uint32_t k) const override;
    using router_bank::flits_sent;
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override;
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override {
        return m_inputs[place(k, port * vcs() + vc)].flits[n];
    }
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override;
    std::uint64_t bytes() const override;

  protected:
    /// An input VC: its flits, front first, and the state of the packet at the front.
    struct buffer {
        std::deque<flit> flits;  ///< flits in the buffer, front first
        route_set ways;          ///< candidates of the packet at the front; none before find_ways()
        /// Number of the output VC that the packet at the front has; out_vc::no_owner: none.
        std::uint16_t out = out_vc::no_owner;

        bool has_output() const { return out != out_vc::no_owner; }  ///< true if it has an output VC
    };

    /// Decides which flits leave router k in cycle `t`. Called in every cycle in which a flit or credit has
    /// come, or in which flits wait in the router's buffers.
    virtual void run(std::uint32_t k, cycle_t t) = 0;

    /// Input VC number `i` of router k.
    const buffer& input(std::uint32_t k, std::uint32_t i) const { return m_inputs[place(k, i)]; }
    /// Output VC number `o` of router k.
    const out_vc& output(std::uint32_t k, std::uint32_t o) const { return m_outputs[place(k, o)]; }

    /// Finds the candidates of the packet at the front of input VC `i` (buffer::ways), and adds 1 to
    /// packet::hops unless router_context::knows_hops(). Call once for each packet, when its head is at the
    /// front.
    void find_ways(std::uint32_t k, std::uint32_t i);
    /// Returns the VCs that candidate number `way` of `from.ways` allows to the packet at the front: bit v
    /// for VC v of the output port. `from` must have a flit.
    vc_mask vcs_of(const buffer& from, std::uint32_t way) const;
    /// Gives output VC `o` of router k to the packet at the front of input VC `i`, until its tail has left.
    /// `o` must be free (not checked).
    void give_output(std::uint32_t k, std::uint32_t i, std::uint32_t o);
    /// True if the link at an output port can take a flit in cycle `t`.
    bool is_free(std::uint32_t k, std::uint32_t port, cycle_t t) const {
        return m_free_at[port_of(k, port)] <= t;
    }
    /// True if input VC `i` has a flit and an output VC, and that output VC has a credit; the link may be
    /// busy (is_free()).
    bool can_send(std::uint32_t k, std::uint32_t i) const;
    /// Sends the flit at the front of input VC `i` by the output VC that its packet has, in cycle `t`, and a
    /// credit for its place to the sender. The tail frees the output VC. Call only if can_send() and
    /// is_free().
    void send(std::uint32_t k, std::uint32_t i, cycle_t t);

  private:
    std::size_t place(std::uint32_t k, std::uint32_t vc) const { return std::size_t{k} * all() + vc; }
    void set_credits(std::uint32_t k, std::uint32_t o, std::uint16_t credits) override {
        m_outputs[place(k, o)].credits = credits;
    }
    void read_inbox(std::uint32_t k, cycle_t t);  ///< takes flits and credits that arrive in cycle `t`
    bool has_flits(std::uint32_t k) const;        ///< true if an input VC of router k holds a flit

    std::vector<buffer> m_inputs;   ///< input VCs, [k * all() + number]
    std::vector<out_vc> m_outputs;  ///< output VCs, [k * all() + number]
    /// First cycle in which the link at an output takes a flit, by port_of().
    std::vector<cycle_t> m_free_at;
};

/// Router model for banks of type `Bank`, a class with a type `parameters` (which has fields() and terms())
/// and with a constructor (net, routers, ports, terms, parameters).
template <class Bank>
class buffered_model final : public router_model {
  public:
    using parameters = typename Bank::parameters;
    buffered_model(std::string kind, const parameters& p) : m_kind(std::move(kind)), m_parameters(p) {}

    std::string kind() const override { return m_kind; }
    router_terms terms() const override { return m_parameters.terms(); }
    bool equals(const router_model& other) const override {
        const auto* its = dynamic_cast<const buffered_model*>(&other);
        return its != nullptr && config::same_parameters(its->m_parameters, m_parameters);
    }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override {
        std::vector<std::unique_ptr<router_bank>> banks;
        for (auto& g : group_routers(all)) {
            const auto& first = static_cast<const buffered_model&>(*g.what->model);
            banks.push_back(std::make_unique<Bank>(net, std::move(g.routers), g.what->ports, first.terms(),
                                                   first.m_parameters));
        }
        return banks;
    }

  private:
    std::string m_kind;
    parameters m_parameters;
};

}  // namespace sare
