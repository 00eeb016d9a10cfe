// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Size and load for which the simulation of a network is laid out: it decides how the state of VC routers is
/// stored. Results do not depend on it.
enum class network_scale : std::uint8_t {
    small,  ///< a cache holds the state of the network
    dense,  ///< larger than `small`, and routers send 0.75 flits or more a cycle: heads carry routes
    /// Like `dense`, with the state of routers fetched into the caches ahead, however few routers there are.
    dense_huge,
    /// Larger than `small`, and most routers idle in a cycle: routers that are awake are kept in lists.
    large,
    huge  ///< like `large`, with the state of routers fetched into the caches ahead, however few there are
};
/// True for dense and dense_huge.
constexpr bool runs_dense(network_scale s) {
    return s == network_scale::dense || s == network_scale::dense_huge;
}
/// True for dense_huge and huge.
constexpr bool always_fetches(network_scale s) {
    return s == network_scale::dense_huge || s == network_scale::huge;
}

/// Properties of the whole network, for banks of routers.
class network_terms {
  public:
    /// Number of routers, those of other processes included.
    virtual std::uint32_t routers() const = 0;
    /// Number of nodes, those of other processes included.
    virtual std::uint32_t nodes() const = 0;
    /// Number of ports of a router.
    virtual std::uint32_t ports(std::uint32_t router) const = 0;
    /// True if a router of the network sends credits in batches: then all credits of the network come with a
    /// count.
    virtual bool batched() const = 0;
    /// Length in flits of the largest packet that any NIC makes.
    virtual std::uint64_t max_packet() const = 0;
    /// False if VC routers must use the layout `wide` (see vc_layout), since
    /// network_builder::require_wide_routers() was called.
    virtual bool compact_layouts_allowed() const = 0;
    /// Size and load for which the simulation is laid out.
    virtual network_scale scale() const = 0;
    /// Most candidates that router_context::find_candidates() ever finds for a head.
    virtual std::uint32_t most_candidates() const = 0;

  protected:
    ~network_terms() = default;
};

}  // namespace sare
