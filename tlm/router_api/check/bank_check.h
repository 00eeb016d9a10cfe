// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// Runs a bank and checks what its routers do on their links, for kinds that are not Sare's own:
/// - a flit leaves only where the next buffer has a place for it;
/// - a link carries one flit at a time;
/// - the flits of a packet leave by one VC, one after the other, and no other packet's between them;
/// - a place is given back once, after a flit has come for it.
/// It looks at the planes of links alone, before and after each step of a router, so it needs nothing of the
/// kind. Flits that may be written for a later cycle are not checked: of a bank whose reach() is not 1, or
/// with write_ahead() or most_queueing(), and on links that sleep.
class bank_check {
  public:
    /// Checks the routers of `bank`, of a kind that is called `kind`. Call after router_bank::construct().
    /// `ring`: planes of its domain.
    bank_check(router_bank& bank, std::string kind, const link_ring& ring);

    /// Adds the link at an output, as router_bank::wire_output() is told of it. `to`: its other end.
    /// `pooled`: the VCs there share their places.
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                     const link_end& to, bool pooled);
    /// Adds the link at an input, as router_bank::wire_input() is told of it.
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x);

    /// Does router_bank::step(). Throws protocol_error for what a router has done wrong.
    void step(std::uint64_t* awake, cycle_t t);
    void clear();  ///< takes all flits for gone: the initial state
    void serialize(archive& a);

  private:
    /// Where credits or flits of a link are in a plane. Small, as all are read in each cycle of a router.
    struct credit_place {
        std::uint32_t word = 0, counts = 0;  ///< the first one's bit; numbers of batched credits, 0: none
        std::uint16_t first = 0, delay = 0;  ///< bit of VC 0 in `word`; cycles until the plane is read
        bool exists = false;
    };
    struct flit_place {
        std::uint32_t bits = 0, flit = 0;  ///< words of the arrivals and of the flit
        std::uint64_t mask = 0;            ///< bits of this link; 0: it is not looked at
        std::uint16_t delay = 0;
        bool bit_a_vc = false;  ///< each VC has a bit, from the lowest one of `mask` on
    };
    struct port_places {
        credit_place credits_in, credits_out;
        flit_place flits_in, flits_out;
    };
    /// The link at an output, as its errors tell it.
    struct output_link {
        std::uint32_t cycles_per_flit = 1, depth = 0;
        bool pooled = false;
        link_end to{};
    };
    static credit_place place_of_credits(const wire& w, std::uint32_t counts);
    flit_place place_of_flits(const wire& w) const;
    static std::uint32_t vc_of(const flit_place& p, std::uint64_t bits, const flit& f);
    std::size_t at(std::uint32_t k, std::uint32_t port) const {
        return std::size_t{k} * m_bank.ports() + port;
    }
    void look_before(std::uint32_t k, cycle_t t);
    void look_after(std::uint32_t k, cycle_t t);
    void take_flit(std::uint32_t k, std::uint32_t port, bool alone, const flit& f, cycle_t t);
    bool is_full(std::size_t place, std::uint32_t vc) const;
    template <class F>
    void for_each_credit(const credit_place& p, const std::uint64_t* plane, const F& f) const;
    [[noreturn]] void report(std::uint32_t k, cycle_t t, const std::string& what) const;

    router_bank& m_bank;
    const std::string m_kind;
    const link_ring& m_ring;
    const std::uint32_t m_vcs;
    const std::uint64_t m_all_vcs;          ///< a bit for each
    std::vector<port_places> m_ports;       ///< by router and port
    std::vector<output_link> m_outputs;     ///< by router and port
    std::vector<cycle_t> m_free_at;         ///< cycle in which a link takes the next flit, by router and port
    std::vector<std::uint32_t> m_used;      ///< places taken behind an output, by router, port and VC
    std::vector<std::uint32_t> m_held;      ///< flits that have come by an input and not been credited
    std::vector<std::uint64_t> m_expected;  ///< next flit of the packet that an output VC carries; 0: a head
    std::vector<std::uint32_t> m_awake;     ///< routers that run in the present cycle
};

}  // namespace sare
