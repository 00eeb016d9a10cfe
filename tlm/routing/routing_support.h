// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <type_traits>

/// Helpers for routing functions of any kind.
namespace sare {

/// Constant whose construction registers a routing function in routing_registry. `name`: word for the key
/// 'function'; `sentence`: description for users; `fields`: its parameters. The constructor of `Function`
/// takes its parameters (unless it has none), its section of the configuration and the routing_context:
/// `const routing_registration<dor, ring_parameters> registered{"dor", "Dimension order ...",
/// ring_fields()};`.
template <class Function, class Parameters = config::no_parameters>
struct routing_registration : config::registration<routing_function, const routing_context&> {
    routing_registration(const char* name, const char* sentence,
                         const config::schema<Parameters>& fields = config::schema<Parameters>())
        : registration(name, sentence, fields, config::made<Function>) {}
};

/// Most VCs of a message class at a port that a routing function can tell apart: the bits of
/// route_candidate::vcs.
constexpr std::uint32_t most_vcs = 64;

/// Masks of a range of VCs, and of its lower and upper half; if the number of VCs is odd, the lower half has
/// one more.
struct vc_classes {
    vc_mask all = 0, low = 0, high = 0;
    vc_classes() = default;
    /// Makes the masks of VCs `first` to `first` + `count` - 1, all below 64 (unchecked); 0 for count 0.
    vc_classes(std::uint32_t first, std::uint32_t count);
};

/// Returns masks that divide `vcs` VCs, lowest first, into `classes` parts of equal size; if `classes` does
/// not divide `vcs`, the first parts have one VC more. `vcs` must be `classes` to most_vcs; unchecked.
std::vector<vc_mask> equal_classes(std::uint32_t vcs, std::uint32_t classes);

/// Number of VCs that a routing function needs, and the reason for error texts.
struct vc_need {
    std::uint32_t vcs;  ///< least number of VCs of a message class at a port
    std::string why;    ///< reason, which continues "needs at least 2: ", such as "one for each of ..."
};

/// Throws config::error unless a message class has from need.vcs to most_vcs VCs. `function`: name of the
/// routing function, for the error text.
void check_vcs(const config::value& section, const routing_context& context, const std::string& function,
               const vc_need& need);

/// Returns the routing functions of a network's `count` parts, one for each: the list `given`, which is the
/// parameter `name` of `section`; or the function "shortest_path" for all if `given` is null or an empty
/// list. Throws config::error for a list of another length than `count`.
std::vector<config::value> functions_of_parts(const config::value& given, const config::value& section,
                                              const char* name, std::size_t count);

/// Appends two headers of a two-phase function for routing_function::every_header(), both with header.via =
/// `to`: one in phase 0, which ends at router `to`, and one in phase 1, which begins at the router of the
/// source. The phases of the function must share no VC.
void add_phases(const route_header& plain, std::uint32_t to, std::vector<route_header>& out);

/// Router and its output port by which packets leave the network for a node.
struct node_attachment {
    std::uint32_t router = 0, port = 0;
};
/// Returns the attachment of every node, by node number, from topology::ejection_of().
std::vector<node_attachment> node_attachments(const topology& net);

}  // namespace sare
