// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <type_traits>

/// What routing functions of any kind share.
namespace sare {

/// Registers a routing function that is made of its parameters, if it has any, its section and the network:
/// `const routing_registration<dor, ring_parameters> registered{"dor", "Dimension order ...",
/// ring_fields()};`
template <class Function, class Parameters = config::no_parameters>
struct routing_registration : config::registration<routing_function, const routing_context&> {
    routing_registration(const char* name, const char* sentence,
                         const config::schema<Parameters>& fields = config::schema<Parameters>())
        : registration(name, sentence, fields, make) {}

  private:
    static routing_function* make(const Parameters& p, const config::value& section,
                                  const routing_context& context) {
        if constexpr (std::is_same_v<Parameters, config::no_parameters>)
            return new Function(section, context);
        else
            return new Function(p, section, context);
    }
};

/// VCs per port and message class that a routing function can tell apart: the bits of route_candidate::vcs.
constexpr std::uint32_t most_vcs = 16;

/// Bit masks over a range of VCs: all of them, and its two halves; the lower half has the odd one.
struct vc_classes {
    std::uint16_t all = 0, low = 0, high = 0;
    vc_classes() = default;
    vc_classes(std::uint32_t first, std::uint32_t count);
};

/// The masks of `classes` parts of `vcs` VCs, from the lowest on; the first ones have the odd ones. vcs >=
/// classes.
std::vector<std::uint16_t> equal_classes(std::uint32_t vcs, std::uint32_t classes);

/// What a routing function needs VCs for, as an error tells it.
struct vc_need {
    std::uint32_t vcs;
    std::string why;
};

/// Throws config::error unless the class has as many VCs as needed (and no more than most_vcs).
void check_vcs(const config::value& section, const routing_context& context, const std::string& function,
               const vc_need& need);

/// The functions of a network of `count` parts, one each, as the parameter `name` of `section` lists them;
/// where it does not, shortest_path in all. Throws config::error if it lists more or fewer.
std::vector<config::value> functions_of_parts(const config::value& given, const config::value& section,
                                              const char* name, std::size_t count);

/// The headers of a function of two phases through a router `via` whose phases share no VC, for
/// routing_function::every_header(): each phase on its own, one that ends at router `to`, one that starts at
/// the source's.
void add_phases(const route_header& plain, std::uint32_t to, std::vector<route_header>& out);

/// The router and port that a node is attached to.
struct node_attachment {
    std::uint32_t router = 0, port = 0;
};
/// Those of all nodes.
std::vector<node_attachment> node_attachments(const topology& net);

}  // namespace sare
