// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/agreement.h"

#include <algorithm>

namespace sare {
namespace {

std::string text(std::uint32_t n) {
    return std::to_string(n);
}

std::string in_words(const std::string& on_links) {
    return on_links.empty() ? "flits and credits" : on_links;
}

/// True if a router whose packets all have one length can be linked to one for packets of any length: the
/// latter keeps whole packets, and has room for one of that length.
bool fits(const router_terms& padded, const router_terms& any) {
    return padded.packet != 0 && any.packet == 0 && any.on_links.empty() && any.whole_packets &&
           any.depth >= padded.packet;
}

}  // namespace

std::string disagreement(const link_party& from, const link_party& to, std::uint32_t max_packet) {
    const std::string a = "router " + text(from.router), b = "router " + text(to.router);
    if (from.terms.vcs != to.terms.vcs)
        return a + " has " + text(from.terms.vcs) + " VCs, and " + b + ", which it is linked to, has " +
               text(to.terms.vcs) + "; 'vcs' must be the same at both ends of a link";
    if (from.terms.on_links != to.terms.on_links && !fits(from.terms, to.terms) &&
        !fits(to.terms, from.terms)) {
        const std::uint32_t packet = std::max(from.terms.packet, to.terms.packet);
        const bool other = from.terms.on_links.empty() || to.terms.on_links.empty();
        return a + " sends " + in_words(from.terms.on_links) + ", and " + b + ", which it is linked to, " +
               in_words(to.terms.on_links) + "; it must be the same at both ends of a link" +
               (packet != 0 && other
                    ? ", or flits of whole packets: 'switching: cut_through' and a depth of " + text(packet) +
                          " or more"
                    : "");
    }
    if (from.terms.packet == 0 && from.terms.whole_packets && to.terms.depth < max_packet)
        return a + " sends whole packets of up to " + text(max_packet) + " flits (nic.max_packet_flits) to " +
               b + ", whose buffers have depth " + text(to.terms.depth) + "; it must be at least as large";
    if (to.terms.looks_ahead && !from.terms.looks_ahead)
        return b + " looks ahead, but " + a + ", which it is linked to, does not, and sends heads without " +
               "the route they take there; 'lookahead' must be the same at both ends of a link";
    return "";
}

}  // namespace sare
