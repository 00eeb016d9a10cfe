// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "tlm/router_api/base/pause_rule.h"
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

/// The interface between the fabric, which moves flits and credits on links and knows nothing of the inside
/// of routers, and the kinds of routers, each in a folder of its own.
namespace sare {

class archive;
class router_context;
class router_bank;

/// Flits that can take a place in an input buffer before a flit of some VC that waits for it. The check for
/// deadlock reads it.
enum class buffer_sharing : std::uint8_t {
    unknown,  ///< not stated: the check assumes any flit of the port
    per_vc,   ///< flits of the same VC only
    per_port  ///< any flit that comes in by the port
};

/// Properties of a router for its neighbours and NICs, the deadlock check and the builder of the network.
/// Cycles are cycles of the router's clock; a place holds one flit.
struct router_terms {
    std::uint32_t vcs = 1;                             ///< number of VCs of a port
    std::uint32_t most_ports = 64;                     ///< most ports of a router of the kind
    std::uint32_t depth = 1;                           ///< most flits that one input VC holds
    buffer_sharing sharing = buffer_sharing::unknown;  ///< how the VCs of an input port share its places
    /// Number of places that each VC of an input port has for itself, if the VCs share further places
    /// (`sharing` is per_port).
    std::uint32_t reserved_places = 0;
    /// Number of places of an input port that its VCs share and that senders count (find_free_places());
    /// `depth` is then `reserved_places` + `pool`. 0: no shared places, or only the router itself counts
    /// them.
    std::uint32_t pool = 0;
    bool counts_pools = false;  ///< true: the router can send to routers that have a `pool`
    pause_rule pauses;  ///< when its input VCs pause; round_trip depends on the link, and is unset here
    /// Cycles from the end of a link until the router looks at a flit.
    std::uint32_t input_delay = 0;
    std::uint32_t flit_delay = 0;  ///< cycles from the grant of a flit to its first cycle on the link
    /// Cycles from the end of a link until the router can use a credit; input_delay is not added.
    std::uint32_t credit_delay = 0;
    /// Cycles for which the router collects credits: it sends them only in cycles whose number is a multiple
    /// of this. 1: at once.
    std::uint32_t credit_batch = 1;
    /// True: a head may be sent to the router only if its whole packet has room in the VC.
    bool whole_packets = false;
    /// True: a head may be sent to the router only if the buffer of its VC is empty.
    bool requires_empty_buffer = false;
    /// Length in flits of every packet of its nodes: NICs pad shorter packets and cut longer messages. 0: any
    /// length.
    std::uint32_t packet = 0;
    /// True if the router itself injects and consumes for its nodes: their NICs keep the source queues only,
    /// and no link leads to them. The router then runs after the NICs, so that packets can leave in the cycle
    /// in which they are made.
    bool owns_nodes = false;
    /// With owns_nodes: most packets that the router takes in a cycle from the source queues of a node.
    std::uint32_t injections_per_cycle = 1;
    bool conserves_packets = false;  ///< true: the router neither copies nor drops packets
    /// True if several banks of such routers may run at the same time, in threads: during a cycle they share
    /// no state but that of the fabric, and make no copies of packets.
    bool thread_safe = false;
    /// True: if route_set::fork is set, the router sends a copy of the packet by each candidate.
    bool forks = false;
    /// With `forks`: true if all branches of a packet leave at once, false if each leaves by itself.
    bool forks_at_once = false;
    bool routes_by_itself = false;  ///< true: the router never asks the routing function
    bool deflects = false;          ///< true: packets may leave the paths of the routing function

    /// True if packets go as the network's NICs and routing function say: the router neither routes by itself
    /// nor owns nodes.
    bool follows_network() const { return !routes_by_itself && !owns_nodes; }
    /// True: lookahead routing: a head must carry its route in this router, which the router before it has
    /// found.
    bool looks_ahead = false;
    /// Text for errors on the units that cross its links, such as "light and acknowledgements"; must be equal
    /// at both ends of a link. "": flits and credits.
    std::string on_links;

    /// Number of places of an input port, in flits: those of each VC and `pool`.
    std::uint64_t places() const { return std::uint64_t{vcs} * (depth - pool) + pool; }
    /// Mean number of places of a VC, in flits: its own places and an equal share of `pool`, rounded down.
    std::uint32_t mean_depth() const { return depth - pool + pool / vcs; }
    /// True if flits of other VCs cannot take all places for which a packet of a VC waits. `longest`: flits
    /// of the longest packet, all of which must find room where `whole_packets` is set.
    bool keeps_vcs_apart(std::uint32_t longest) const {
        const bool needs_all = whole_packets && !pauses.pauses();  // headroom has room for the rest
        return sharing == buffer_sharing::per_vc || reserved_places >= (needs_all ? longest : 1);
    }
};

/// Rule by which a router is switched off and woken (router_gate), in cycles of its clock.
struct gate_rule {
    /// `idle`: cycles without a flit until the router is off; `wake`: cycles that waking takes, 0: the router
    /// is never off.
    std::uint32_t idle = 1, wake = 0;
};

class router_model;
class running_clock;

/// One router of a network, as an element of the list from which banks are made.
struct router_instance {
    std::uint32_t router, ports;  ///< number of the router in the network; number of its ports
    const router_model* model;    ///< model of the router, never null
    const running_clock* clock;   ///< clock of the router, never null
    std::uint32_t domain;         ///< number of its clock_domain; equal for all routers of a bank
};

/// A router kind with its parameters, from which a network makes routers; one model may serve for any number
/// of routers.
class router_model {
  public:
    virtual ~router_model() = default;
    /// Name of the kind, by which it is registered: "vc".
    virtual std::string kind() const = 0;
    /// Properties of the routers for other parts of the program.
    virtual router_terms terms() const = 0;
    /// Returns the rule by which the routers are switched off; by default they never are.
    virtual gate_rule gate() const { return {}; }
    /// True if `other` has the same kind and the same parameters as this model.
    virtual bool equals(const router_model& other) const = 0;
    /// Returns the section 'routing' that a kind with routing of its own demands on topology `topology` (its
    /// registered name); null, the default: the kind takes any routing.
    virtual config::value own_routing(const std::string& topology) const {
        (void)topology;
        return {};
    }
    /// Returns the name of the routing function that is taken if the section 'routing' is left out; "": the
    /// default of the topology.
    virtual std::string default_routing() const { return ""; }
    /// Returns why a network of such routers is free of deadlock by design ("bubble flow control: ..."), so
    /// that the static check is skipped; "": the check is made.
    virtual std::string deadlock_free_by_design() const { return {}; }
    /// Returns the cycles of the router's clock that a head without other traffic takes from the end of one
    /// link to the beginning of the next, router_terms::input_delay included. It is an estimate from the
    /// parameters.
    virtual std::uint32_t head_cycles() const { return 1; }
    /// Makes banks for `all`, which are routers of this kind in the network `net`, whose links are known. A
    /// bank has routers with equal models, ports and domains. Throws config::error for routers that do not
    /// fit the network.
    virtual std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const = 0;
};

/// Routers of the same kind with the same parameters and number of ports, simulated together. Within the bank
/// they have the numbers 0, 1, ..., called k below. Banks share no state. The fabric calls a bank once a
/// cycle, and tells which routers are awake: these may have something to do.
class router_bank : public router_view, public router_reset {
  public:
    /// `routers`: numbers in the network of routers 0, 1, ... of the bank.
    router_bank(std::vector<std::uint32_t> routers, std::uint32_t ports, const router_terms& terms)
        : m_routers(std::move(routers)), m_ports(ports), m_terms(terms) {}
    /// Returns the name of the kind and of its implementation, for reports.
    virtual std::string variant() const = 0;
    /// Number of routers in the bank.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_routers.size()); }
    /// Number in the network of router k.
    std::uint32_t router(std::uint32_t k) const { return m_routers[k]; }
    std::uint32_t ports() const { return m_ports; }        ///< number of ports of each router
    const router_terms& terms() const { return m_terms; }  ///< properties of each router
    /// Returns the functions by which the bank can be simulated faster, valid as long as the bank; null:
    /// none.
    router_acceleration* acceleration() const { return m_acceleration; }

    /// @name Building, in this order
    /// @{
    /// Number of 64-bit words of a plane (link_ring.h) that the inbox of one router takes: `table` words in
    /// the table, `own` words outside of it.
    struct inbox_words {
        std::uint32_t table = 0, own = 0;  ///< words in the table; words outside of it
        /// True if the whole inbox is in the table, flits included.
        bool flits_in_table() const { return table != 0 && own == 0; }
    };
    /// Returns the size of the inbox of one router, equal for all.
    virtual inbox_words inbox() const = 0;
    /// Most cycles ahead of the present one for which a router wakes itself, 1 or more.
    virtual std::uint32_t reach() const = 0;
    /// Period, in cycles of the routers' clock, with which the behaviour of idle routers repeats: more than 1
    /// if something depends on the cycle number modulo n, such as batches of credits.
    virtual std::uint32_t period() const { return m_terms.credit_batch; }
    /// Most cycles that a flit may wait for its link between grant and first cycle on it; 0 by default. The
    /// link takes a flit every `cycles_per_flit` cycles, into buffers of `depth` flits for each VC.
    virtual std::uint32_t most_queueing(std::uint32_t depth, std::uint32_t cycles_per_flit) const {
        (void)depth, (void)cycles_per_flit;
        return 0;
    }
    /// Places of the routers in a plane: router k is endpoint `first` + k (`first` is a multiple of 64). Its
    /// inbox begins at word table[k] of the plane for the part in the table, and at word own[k] for the other
    /// part; a list is empty if inbox_words has 0 there.
    struct plane_layout {
        std::uint32_t first = 0;                ///< endpoint of router 0
        std::vector<std::uint32_t> table, own;  ///< word of each inbox in the table; outside of it
    };
    /// Makes the state of the routers; called once, when the planes are allocated.
    virtual void construct(plane_layout at) = 0;
    /// Returns the wire by which a sender writes flits that come into router k by a port; its delay is 0 and
    /// still to be set.
    virtual std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const = 0;
    /// Returns the wire by which a receiver writes credits for flits that left router k by a port; its delay
    /// is 0 and still to be set.
    virtual std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const = 0;
    /// Sets the wire for flits that leave router k by `port`, into buffers of `x.depth` flits for each VC.
    /// At a port to a node that the router owns (owns_nodes), `w` is empty.
    virtual void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) = 0;
    /// Sets the rule by which the VCs at the other end of an output port of router k pause; called only if
    /// they do. Returns false, the default, if the router cannot obey.
    virtual bool pause_output(std::uint32_t k, std::uint32_t port, const pause_rule& rule) {
        (void)k, (void)port, (void)rule;
        return false;
    }
    /// Sets the wire for credits of flits that come into router k by `port`. `from`: sender of these flits,
    /// which gets the credits.
    virtual void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                            const link_end& from) = 0;
    /// Ends building; called once, when all links are wired.
    virtual void finish() {}
    /// @}

    /// Runs cycle `t` of the routers' clock for the routers whose bits are set in `awake`, and clears these
    /// bits: router k has bit k % 64 of word k / 64.
    virtual void step(std::uint64_t* awake, cycle_t t) = 0;
    /// Restarts the streams of random numbers with another seed; by default there are none.
    virtual void set_seed(std::uint64_t seed) { (void)seed; }
    /// Writes or reads all state that a cycle may change (docs/checkpoint.md); called between two cycles. The
    /// default throws unwritable: the kind has no checkpoints.
    virtual void serialize(archive& a);

    /// @name Failures (docs/links.md), between two cycles
    /// @{
    /// True if links of the routers may fail: fail_port() and route_again() are implemented.
    /// router_context::find_candidates() never gives a port whose link has failed. If packets may have
    /// several flits, can_reset() must return resets::of_blocks: packets that a failure cuts in two are taken
    /// out of the routers.
    virtual bool survives_failures() const { return false; }
    /// Makes the link at `port` of router k carry nothing, in either direction, from the next cycle, `t`, on.
    /// It is a link to a router, or, if router k itself has failed, to a node. Flits on the link, and packets
    /// that had flits on it or one of its output VCs, are already removed by the fabric.
    virtual void fail_port(std::uint32_t k, std::uint32_t port, cycle_t t) {
        (void)port;
        route_again(k, t);
    }
    /// Computes once more the routes of the heads in router k that have no output VC yet. `t`: next cycle. By
    /// default does nothing.
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
    /// Sets the result of acceleration(); `a` must live as long as the bank.
    void accelerate_by(router_acceleration& a) { m_acceleration = &a; }
    /// Number of 64-bit words that hold a bit for each router of the bank.
    std::uint32_t words() const { return (size() + 63) / 64; }
    /// Adds 1 to bins[flits], and lengthens `bins` as needed; `flits`: number of flits in a buffer.
    static void count_one(std::uint32_t flits, std::vector<std::uint64_t>& bins) {
        if (flits >= bins.size()) bins.resize(flits + 1, 0);
        ++bins[flits];
    }

  private:
    std::vector<std::uint32_t> m_routers;           ///< numbers in the network, by k
    std::uint32_t m_ports;                          ///< number of ports of each router
    router_terms m_terms;                           ///< properties of each router
    router_acceleration* m_acceleration = nullptr;  ///< result of acceleration()
};

}  // namespace sare
