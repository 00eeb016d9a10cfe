// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "tlm/router_api/base/router_acceleration.h"
#include "tlm/router_api/base/router_view.h"
#include "tlm/router_api/connection.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/reset.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The seam between the fabric, which moves what is on links and knows no router's inside, and the kinds of
/// routers, each in a folder of its own.
namespace sare {

class archive;
class router_context;
class router_bank;

/// What the check for deadlock may rest on: whose flits can take the place that a flit of a VC waits for.
enum class buffer_sharing : std::uint8_t {
    unknown,  ///< not stated: the check assumes that any flit of the port can
    per_vc,   ///< flits of the same VC only
    per_port  ///< any flit that comes in by the port
};

/// What the rest of the program must know of a router: its neighbours and NICs, the deadlock check, and the
/// builder of the network.
struct router_terms {
    std::uint32_t vcs = 1;                             ///< number of VCs of a port
    std::uint32_t depth = 1;                           ///< most flits that an input VC holds
    buffer_sharing sharing = buffer_sharing::unknown;  ///< how the VCs of an input port share its places
    std::uint32_t reserved_places = 0;  ///< places of each VC that no other VC takes, where places are shared
    /// Number of places of an input port that its VCs share and that senders count (find_free_places());
    /// `depth` is then `reserved_places` and all of these. 0: none, or the router alone knows of them.
    std::uint32_t pool = 0;
    bool counts_pools = false;      ///< true: it can send to routers that have a `pool`
    std::uint32_t input_delay = 0;  ///< cycles from the end of a link until it looks at a flit or credit
    std::uint32_t flit_delay = 0;   ///< cycles from the grant of a flit to its first cycle on the link
    std::uint32_t credit_delay =
        0;  ///< cycles of a credit from the end of the link until this router can use it
    std::uint32_t credit_batch = 1;  ///< it sends credits only in cycles whose number is a multiple of this
    bool whole_packets = false;      ///< true: a head may come only where its whole packet has room
    bool requires_empty_buffer = false;  ///< true: a packet may come only into an empty buffer
    /// Flits of every packet of its nodes, shorter ones being padded and longer messages cut; 0: any length.
    std::uint32_t packet = 0;
    /// True if the router itself has the injection queues and the consumption of its nodes: their NICs keep
    /// the source queues only, and no link leads to them. It then runs after the NICs, so that packets can
    /// leave in the cycle in which they are made.
    bool owns_nodes = false;
    /// With owns_nodes: most packets that it takes in a cycle from the source queues of a node.
    std::uint32_t injections_per_cycle = 1;
    bool conserves_packets = false;  ///< true: it neither copies nor drops packets
    /// True if several of its banks may run at the same time: they share nothing that cycles change, with
    /// each other or with anything but the fabric, and make no copies of packets.
    bool thread_safe = false;
    bool routes_by_itself = false;  ///< true: it never asks the routing function
    bool deflects = false;          ///< true: packets may leave the paths of the routing function
    bool looks_ahead = false;       ///< true: heads must bring the route that they take here
    /// What crosses its links, in words, and must be the same at both ends; "": flits and credits.
    std::string on_links;

    /// Mean number of places of a VC, in flits.
    std::uint32_t mean_depth() const { return depth - pool + pool / vcs; }
    /// True if no VC can fill the places that a packet of another one waits for. `longest`: flits of the
    /// longest packet, all of which must find room where `whole_packets` is set.
    bool keeps_vcs_apart(std::uint32_t longest) const {
        return sharing == buffer_sharing::per_vc || reserved_places >= (whole_packets ? longest : 1);
    }
};

class router_model;

/// One router of a network, for the bank that will hold it.
struct router_instance {
    std::uint32_t router, ports;  ///< number in the network; number of ports
    const router_model* model;
    std::uint32_t clock;   ///< cycles of the network in a cycle of the router
    std::uint32_t domain;  ///< number of its clock_domain: all routers of a bank have the same
};

/// A router with its parameters, as a network asks for it: any number of places may share one.
class router_model {
  public:
    virtual ~router_model() = default;
    /// Name of the kind, by which it is registered: "vc".
    virtual std::string kind() const = 0;
    virtual router_terms terms() const = 0;
    /// True if both have the same kind and the same parameters.
    virtual bool equals(const router_model& other) const = 0;
    /// Section 'routing' on a topology with this name, for a kind that brings routing of its own; null for a
    /// kind that takes any.
    virtual config::value own_routing(const std::string& topology) const {
        (void)topology;
        return {};
    }
    /// Name of the routing function if 'routing' is left out, for a kind that works with one only; "": it
    /// works with any.
    virtual std::string default_routing() const { return ""; }
    /// Reason why a network of this kind is free of deadlock by design ("bubble flow control: ..."), so that
    /// the static check is skipped; "": the check is made.
    virtual std::string deadlock_free_by_design() const { return {}; }
    /// Cycles that a head takes through a router without other traffic, as far as the parameters tell, from
    /// the end of a link on: router_terms::input_delay included.
    virtual std::uint32_t head_cycles() const { return 1; }
    /// Makes banks for `all`, the routers of this kind in the network `net`, whose links are known. Throws
    /// config::error for routers that do not fit the network.
    virtual std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const = 0;
};

/// Routers that are alike: same kind, parameters, number of ports. They have the numbers 0, 1, ... within the
/// bank. Their state is theirs alone; the fabric calls them once a cycle, and says which have something
/// to do.
class router_bank : public router_view, public router_reset {
  public:
    router_bank(std::vector<std::uint32_t> routers, std::uint32_t ports, const router_terms& terms)
        : m_routers(std::move(routers)), m_ports(ports), m_terms(terms) {}
    /// Name of the kind and of its implementation, for reports.
    virtual std::string variant() const = 0;
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_routers.size()); }
    /// Number in the network of router k of the bank.
    std::uint32_t router(std::uint32_t k) const { return m_routers[k]; }
    std::uint32_t ports() const { return m_ports; }
    const router_terms& terms() const { return m_terms; }
    /// Returns what the bank can do to be simulated faster; null: nothing.
    router_acceleration* acceleration() const { return m_acceleration; }

    /// @name Building, in this order
    /// @{
    /// Words of a plane (see link_ring.h) that the inbox of one router takes: in the table, and elsewhere.
    struct inbox_words {
        std::uint32_t table = 0, own = 0;
        bool flits_in_table() const { return table != 0 && own == 0; }
    };
    virtual inbox_words inbox() const = 0;
    /// Most cycles ahead for which a router wakes itself, 1 or more.
    virtual std::uint32_t reach() const = 0;
    /// Most cycles that a flit may wait for its link after its grant, for a link that takes a flit every
    /// `cycles_per_flit` cycles into buffers of `depth` flits a VC.
    virtual std::uint32_t most_queueing(std::uint32_t depth, std::uint32_t cycles_per_flit) const {
        (void)depth, (void)cycles_per_flit;
        return 0;
    }
    /// Places of the routers in a plane: they are the endpoints from `first` on (a multiple of 64), and the
    /// inbox of router k begins at word table[k] in the table, and at own[k] elsewhere (see inbox_words).
    struct plane_layout {
        std::uint32_t first = 0;
        std::vector<std::uint32_t> table, own;
    };
    /// Makes the routers, when the planes are laid out.
    virtual void construct(plane_layout at) = 0;
    /// Wires by which flits come in by a port of router k, and credits for flits that leave by it; their
    /// delays are 0.
    virtual std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const = 0;
    virtual std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const = 0;
    /// Sets the wire for flits that leave by `port` of router k, into buffers of `x.depth` flits a VC.
    virtual void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) = 0;
    /// Sets the wire for credits of flits that come in by `port` of router k; `from`: sender of these flits.
    virtual void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                            const link_end& from) = 0;
    /// Called when all links are wired.
    virtual void finish() {}
    /// @}

    /// Runs cycle `t` of the routers whose bits are set in `awake`, and clears these bits: router k has bit
    /// k % 64 of word k / 64.
    virtual void step(std::uint64_t* awake, cycle_t t) = 0;
    /// Restarts the streams of random numbers, with another seed.
    virtual void set_seed(std::uint64_t seed) { (void)seed; }
    /// Writes all that a cycle may change, or reads it (docs/checkpoint.md), between two cycles; throws
    /// unwritable for a kind that does not override it.
    virtual void serialize(archive& a);

    /// @name Failures (docs/links.md), between two cycles
    /// @{
    /// True if links may fail: fail_port() and route_again() are implemented. (find_candidates() of
    /// router_context gives no dead candidates.) If packets may have several flits, can_reset() must return
    /// of_blocks as well, since packets that a failure cuts in two are taken out.
    virtual bool survives_failures() const { return false; }
    /// Makes the link at `port` of router k carry nothing, neither way, from cycle `t` on, which is the next
    /// one: a link to a router, or to a node if router k itself has failed. Flits on it are gone, and packets
    /// that had flits on it or an output VC (out()) of it; the fabric has seen to them.
    virtual void fail_port(std::uint32_t k, std::uint32_t port, cycle_t t) {
        (void)port;
        route_again(k, t);
    }
    /// Computes the routes of the heads in router k that have no output VC yet once more.
    virtual void route_again(std::uint32_t k, cycle_t t) { (void)k, (void)t; }
    /// @}

    /// @name Functions of router_view, with the answers of most kinds
    /// @{
    using router_view::flits_sent;
    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return out(k, port, vc).flits;
    }
    router_pace pace() const override { return {}; }
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override;
    bool has_credits(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                     std::uint32_t) const override {
        return true;
    }
    std::uint32_t credits_coming(std::uint32_t, std::uint32_t, std::uint32_t) const override { return 0; }
    std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const override;
    /// @}

  protected:
    void accelerate_by(router_acceleration& a) { m_acceleration = &a; }
    std::uint32_t words() const { return (size() + 63) / 64; }
    static void count_one(std::uint32_t flits, std::vector<std::uint64_t>& bins) {
        if (flits >= bins.size()) bins.resize(flits + 1, 0);
        ++bins[flits];
    }

  private:
    std::vector<std::uint32_t> m_routers;
    std::uint32_t m_ports;
    router_terms m_terms;
    router_acceleration* m_acceleration = nullptr;
};

}  // namespace sare
