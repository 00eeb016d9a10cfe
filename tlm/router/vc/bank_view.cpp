// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"

namespace sare {

namespace {

/// Returns the output VC of the branch, of the packet in input VC i, that has sent the fewest flits; `own` if
/// it has none. `all`: branches of the router.
std::uint32_t slowest_branch(const vc_branch* all, std::uint32_t i, std::uint32_t own) {
    for (std::uint32_t o = all[i].first; o != vc_branch::none; o = all[o].next)
        if (o == all[i].first || all[o].taken < all[own].taken) own = o;
    return own;
}

}  // namespace

template <int S, int N, bool InList>
in_vc vc_bank<S, N, InList>::in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const block& b = at(k);
    const auto sets = seen(k);
    const std::uint32_t i = number(port, vc);
    const auto& from = b.in(i);
    in_vc c;
    c.packet = flit::from_word(b.front(i)).packet;
    c.head = from.head;
    c.count = static_cast<std::uint16_t>(b.count_at(sets, i));
    const std::uint32_t own =
        shape().forks ? slowest_branch(&m_around.branches[std::size_t{k} * shape().in_vcs], i, from.out)
                      : from.out;
    c.out = plain_number(own);
    c.out_vc = static_cast<std::uint8_t>(vc_of(own));
    if (shape().forks) {
        const bool asks = some(from.want);
        c.out_port =
            static_cast<port_number>(port_of(asks ? static_cast<std::uint32_t>(lowest(from.want)) : own));
        if (asks) c.vcs = slice(from.want, number(c.out_port, 0), shape().vcs);
        return c;
    }
    if (!some(from.want)) return c;
    c.out_port = static_cast<port_number>(port_of(static_cast<std::uint32_t>(lowest(from.want))));
    if (b.owned(sets, from.out) && b.owner(from.out) == i)
        c.out_port = static_cast<port_number>(port_of(from.out));
    if constexpr (wide) c.out_port = b.to[i];
    if (c.out_port != in_vc::no_port) c.vcs = slice(from.want, number(c.out_port, 0), shape().vcs);
    return c;
}

template in_vc vc_bank<0, 64, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<0, 128, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<0, 256, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<0, 512, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<0, 1024, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<0, 4096, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<2, 32, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<2, 64, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<3, 64, false>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<2, 32, true>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<2, 64, true>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;
template in_vc vc_bank<3, 64, true>::in(std::uint32_t, std::uint32_t, std::uint32_t) const;

}  // namespace sare
