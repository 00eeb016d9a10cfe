// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/bank.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sare {

class topology;
struct experiment;
struct nic_params;

/// An entry of the section 'routers': numbers of routers that differ from the section 'router', and their
/// changes.
struct router_exception {
    config::number_set at;  ///< numbers of the routers that differ
    config::value changes;  ///< keys of the section 'router' with their new values; may name another 'kind'

    /// Returns the entries of `list`, a section 'routers', in order; an empty vector if `list` is null.
    /// Throws config::error for an entry without 'at', or with a wrong one.
    static std::vector<router_exception> read(const config::value& list);
    /// Returns the entries that a topology brings for its routers (topology::router_settings()).
    static std::vector<router_exception> of(const topology& map);
    /// Returns `section`, a section 'router', with `changes` applied. If `changes` name another kind, nothing
    /// of `section` is kept.
    config::value applied_to(const config::value& section) const;
};

/// Returns `router`, a section 'router', with the changes of those `exceptions` that have `at: all`.
config::value router_section(const config::value& router, const std::vector<router_exception>& exceptions);

/// The model of each router of a network: routers of the same kind and parameters are a group, which shares
/// one model.
class router_plan {
  public:
    /// Makes the plan for the routers of `map`. Throws config::error for a wrong entry, an unknown router, a
    /// kind that does not suit this network, and routers that demand packets of different lengths. Also if a
    /// router brings another routing function than its level of the hierarchy, or its network, has.
    router_plan(const experiment& e, const topology& map);

    /// Routers of the same kind and parameters.
    struct group {
        std::shared_ptr<const router_model> model;  ///< model of these routers
        router_terms terms;                         ///< terms of the model
        std::string name;  ///< kind, and differences from the section 'router': "vc, depth 16"
    };
    /// Returns the group of a router, given by number (unchecked); model() and terms() are of this group.
    const group& of(std::uint32_t router) const { return m_groups[m_group_of[router]]; }
    const router_model& model(std::uint32_t router) const { return *of(router).model; }
    const router_terms& terms(std::uint32_t router) const { return of(router).terms; }
    /// Returns the section 'router' of a router, with the changes of all entries of 'routers' that name it.
    const config::value& section_of(std::uint32_t router) const { return m_sections[m_group_of[router]]; }
    /// Returns all groups, in ascending order of their first router.
    const std::vector<group>& groups() const { return m_groups; }
    /// Returns, by level of topology::part_of() (one level without a hierarchy), the reason why no network of
    /// that level's routers can deadlock; "": the static check has to find out.
    const std::vector<std::string>& deadlock_free_by_design() const { return m_safety; }
    bool deflects() const;  ///< true if packets of some router may leave the paths of the routing function
    /// Returns NIC parameters `given`, adapted to these routers: if some router takes packets of one length
    /// only, all NICs make packets of that length, and pad shorter ones.
    nic_params with_packets(const nic_params& given) const;
    /// Returns the numbers of the routers of groups()[which].
    config::number_set routers_of(std::uint32_t which) const;

    /// Throws config::error if two linked routers do not agree on what crosses the link, or if an entry of
    /// 'routers' gives buffers that are too small for the whole packets which they must hold. `max_packet`:
    /// flits of the largest packet.
    void check_links(const topology& map, std::uint32_t max_packet) const;

  private:
    void apply(std::uint32_t exception, std::uint32_t first, std::uint32_t last);
    std::uint32_t changed(std::uint32_t which, std::uint32_t exception);
    std::uint32_t add(const config::value& section);
    void drop_unused();
    void check_suits(std::uint32_t router, const topology& map) const;
    void look_at_levels(const experiment& e, const topology& map);
    void find_packet();
    void check_depth(std::uint32_t router, std::uint32_t max_packet) const;
    config::location place_of(std::uint32_t router) const;

    config::location m_at;  ///< place of the section `router`, or of an experiment without it
    /// The router_terms::packet of the routers that demand one length of packets; 0: none does.
    std::uint32_t m_packet = 0;
    std::vector<std::string> m_safety;           ///< value of deadlock_free_by_design()
    std::vector<router_exception> m_exceptions;  ///< entries of the topology, then of 'routers'
    std::vector<config::value> m_sections;       ///< section 'router' of each group
    std::vector<group> m_groups;
    /// Value in m_entry_of: no exception names the router.
    static constexpr std::uint32_t no_entry = 0xffffffff;
    std::vector<std::uint32_t> m_group_of;  ///< group number of each router
    std::vector<std::uint32_t> m_entry_of;  ///< last exception that names the router, or no_entry; by router
    std::map<std::string, std::uint32_t> m_by_text;  ///< number of a group, by the text of its section
    /// Number of the group that a group becomes by an exception, by numbers of group and exception.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_changed;
};

}  // namespace sare
