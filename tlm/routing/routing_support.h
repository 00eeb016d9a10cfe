// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <type_traits>

/// Helpers for routing functions of any kind.
namespace sare {

/// Registers a routing function whose constructor takes its parameters (if it has any), its section of the
/// configuration and the routing_context: `const routing_registration<dor, ring_parameters> registered{"dor",
/// "Dimension order ...", ring_fields()};`
template <class Function, class Parameters = config::no_parameters>
struct routing_registration : config::registration<routing_function, const routing_context&> {
    routing_registration(const char* name, const char* sentence,
                         const config::schema<Parameters>& fields = config::schema<Parameters>())
        : registration(name, sentence, fields, config::made<Function>) {}
};

/// Most VCs per port and message class that a routing function can tell apart: bits of route_candidate::vcs.
constexpr std::uint32_t most_vcs = 64;

/// Masks of a range of VCs and of its two halves. If their number is odd, the lower half has one more.
struct vc_classes {
    vc_mask all = 0, low = 0, high = 0;
    vc_classes() = default;
    /// Masks of the VCs first to first + count - 1.
    vc_classes(std::uint32_t first, std::uint32_t count);
};

/// Returns masks that split `vcs` VCs, lowest first, into `classes` parts of equal size; the first parts have
/// one more if that is not possible. vcs >= classes.
std::vector<vc_mask> equal_classes(std::uint32_t vcs, std::uint32_t classes);

/// Number of VCs that a routing function needs, and the reason for error texts.
struct vc_need {
    std::uint32_t vcs;  ///< VCs per port and message class, at least
    std::string why;    ///< "one for each of ..."
};

/// Throws config::error unless a message class has from need.vcs to most_vcs VCs.
void check_vcs(const config::value& section, const routing_context& context, const std::string& function,
               const vc_need& need);

/// Returns the configured functions of a network's `count` parts, one each: the list `given` (parameter
/// `name` of `section`), or shortest_path for all if it is missing or empty. Throws config::error for a list
/// of another length.
std::vector<config::value> functions_of_parts(const config::value& given, const config::value& section,
                                              const char* name, std::size_t count);

/// Appends the headers of a two-phase function for routing_function::every_header(), one for each phase
/// separately, both with via `to`: phase 0 ends at router `to`, phase 1 starts at the source's router. The
/// phases must share no VC.
void add_phases(const route_header& plain, std::uint32_t to, std::vector<route_header>& out);

/// Router and output port by which packets reach a node.
struct node_attachment {
    std::uint32_t router = 0, port = 0;
};
/// Returns the attachment of each node.
std::vector<node_attachment> node_attachments(const topology& net);

}  // namespace sare
