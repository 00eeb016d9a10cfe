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
/// - a credit for an input VC is sent once for each flit that has come by it, never before the flit.
///
/// The check reads only the planes of links, before and after each step of a router, and so knows nothing of
/// the kind. Not checked: outputs of a bank whose reach() is not 1, or with write_ahead() or most_queueing();
/// outputs to links that can sleep; inputs whose credits leave in batches.
class bank_check {
  public:
    /// Checks the routers of `bank`. `kind`: name of their kind, for errors; `ring`: planes of the bank's
    /// domain. Call after router_bank::construct().
    bank_check(router_bank& bank, std::string kind, const link_ring& ring);

    /// Adds the link at an output, with the arguments of router_bank::wire_output(). `to`: other end of the
    /// link; `pooled`: true: the VCs there share their places, and `x` has no pool.
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                     const link_end& to, bool pooled);
    /// Adds the link at an input, with the arguments of router_bank::wire_input().
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x);

    /// Calls router_bank::step(). Throws protocol_error after it if a router has broken a rule.
    void step(std::uint64_t* awake, cycle_t t);
    void clear();  ///< forgets all flits and credits, as at the start
    void serialize(archive& a);

  private:
    /// Place of a link's credits in a plane. Small, since all places are read in each cycle of a router.
    struct credit_place {
        /// Word of VC 0's bit; index of VC 0's count, if the plane is read as 16-bit numbers, 0: there are no
        /// counts.
        std::uint32_t word = 0, counts = 0;
        /// Bit of VC 0 in `word`; cycles from writing until the plane is read.
        std::uint16_t first = 0, delay = 0;
        bool exists = false;  ///< false: the port has no such link, or it is not checked
    };
    /// Place of a link's flit in a plane.
    struct flit_place {
        std::uint32_t bits = 0, flit = 0;  ///< word with the bits of the arrival; word of the flit
        std::uint64_t mask = 0;            ///< bits of this link; 0: it is not checked
        std::uint16_t delay = 0;           ///< cycles from writing until the plane is read
        /// True: each VC has a bit, VC 0 the lowest one of `mask`; false: the port has one bit.
        bool bit_a_vc = false;
    };
    /// Places of the four wires at a port of a router.
    struct port_places {
        credit_place credits_in, credits_out;
        flit_place flits_in, flits_out;
    };
    /// Properties of the link at an output.
    struct output_link {
        std::uint32_t cycles_per_flit = 1, depth = 0;  ///< see wire_extras
        bool pooled = false;                           ///< true: the VCs at the other end share places
        link_end to{};
    };
    /// `counts`: wire_extras::counts.
    static credit_place place_of_credits(const wire& w, std::uint32_t counts);
    flit_place place_of_flits(const wire& w) const;
    static std::uint32_t vc_of(const flit_place& p, std::uint64_t bits, const flit& f);
    std::size_t at(std::uint32_t k, std::uint32_t port) const {
        return std::size_t{k} * m_bank.ports() + port;
    }
    void look_before(std::uint32_t k, cycle_t t);  ///< notes the flits and credits that arrive
    void look_after(std::uint32_t k, cycle_t t);   ///< checks the flits and credits that are sent
    void take_flit(std::uint32_t k, std::uint32_t port, bool alone, const flit& f, cycle_t t);
    bool is_full(std::size_t place, std::uint32_t vc) const;  ///< `place`: at() of an output
    template <class F>
    void for_each_credit(const credit_place& p, const std::uint64_t* plane, const F& f) const;
    [[noreturn]] void report(std::uint32_t k, cycle_t t, const std::string& what) const;

    router_bank& m_bank;                 ///< bank that is checked
    const std::string m_kind;            ///< name of the kind, for errors
    const link_ring& m_ring;             ///< planes of the bank's domain
    const std::uint32_t m_vcs;           ///< number of VCs of a port
    const std::uint64_t m_all_vcs;       ///< mask with a bit for each VC of a port
    std::vector<port_places> m_ports;    ///< places of the links, by at()
    std::vector<output_link> m_outputs;  ///< links at outputs, by at()
    std::vector<cycle_t> m_free_at;      ///< first cycle in which the link at an output takes a flit, by at()
    std::vector<std::uint32_t> m_used;   ///< places taken in the buffer behind an output, [at() * VCs + VC]
    /// Flits that have come by an input VC and whose places were not given back, [at() * VCs + VC].
    std::vector<std::uint32_t> m_held;
    /// Flit that must follow on an output VC, packet slot << 16 | number in the packet; 0: a head; [at() *
    /// VCs + VC].
    std::vector<std::uint64_t> m_expected;
    std::vector<std::uint32_t> m_awake;  ///< routers that run in the present cycle
};

}  // namespace sare
