// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"

namespace sare {

/// Mixin for routing functions that go to a random router, header.via, and from there to the destination, in
/// two phases that share no VC (Valiant and Brebner, 1981). The router is drawn uniformly among all routers.
/// `Base`: a class derived from routing_function, with routers() and attachment_of(); the class derived from
/// this one must define route().
template <class Base>
class through_random_router : public Base {
  public:
    using Base::Base;
    bool deterministic() const final { return false; }
    void begin(route_header& h, rng& random) const final {
        h.phase = 0;
        h.via = random.below(this->routers());
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const final {
        add_phases(plain, this->attachment_of(plain.destination).router, out);
    }
    void drawn_headers(const route_header& plain,
                       std::vector<routing_function::drawn_header>& out) const final {
        for (std::uint32_t via = 0; via < this->routers(); ++via) {
            out.push_back({plain, 1.0 / this->routers()});
            out.back().header.via = via;
        }
    }
};

}  // namespace sare
