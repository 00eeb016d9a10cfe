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

/// An entry of the section 'routers': which routers differ, and how.
struct router_exception {
    config::number_set at;  ///< numbers of the routers that differ
    config::value changes;  ///< keys of the section 'router', 'kind' among them

    /// Reads the section 'routers'. Throws config::error for a wrong entry.
    static std::vector<router_exception> read(const config::value& list);
    /// Returns the entries that a topology brings for its routers.
    static std::vector<router_exception> of(const topology& map);
    /// Returns `section` with the changes. If they name another kind, its defaults replace the rest of
    /// `section`.
    config::value applied_to(const config::value& section) const;
};

/// Returns the section 'router' with the changes of the entries of 'routers' that name all routers.
config::value router_section(const config::value& router, const std::vector<router_exception>& exceptions);

/// The model of each router of a network: routers of the same parameters share one.
class router_plan {
  public:
    /// Makes the plan for the routers of `map`. Throws config::error for a wrong entry, an unknown router, a
    /// router that brings another routing than the rest, and packets of different lengths.
    router_plan(const experiment& e, const topology& map);

    /// Routers that are alike.
    struct group {
        std::shared_ptr<const router_model> model;
        router_terms terms;  ///< terms of the model
        std::string name;    ///< kind, and differences from the section 'router': "vc, depth 16"
    };
    const group& of(std::uint32_t router) const { return m_groups[m_group_of[router]]; }
    const router_model& model(std::uint32_t router) const { return *of(router).model; }
    const router_terms& terms(std::uint32_t router) const { return of(router).terms; }
    const std::vector<group>& groups() const { return m_groups; }
    /// Reason, for each level of topology::part_of(), why no network of that level's routers can deadlock; ""
    /// if the static check has to find out.
    const std::vector<std::string>& deadlock_free_by_design() const { return m_safety; }
    /// Returns the parameters of NICs as these routers need them: if some router has packets of one length
    /// only, all NICs make packets of that length.
    nic_params with_packets(const nic_params& given) const;
    /// Returns the numbers of the routers of groups()[which].
    config::number_set routers_of(std::uint32_t which) const;

    /// Throws config::error if two routers with a link between them do not agree on what crosses it.
    /// `max_packet`: flits of the largest packet.
    void check_links(const topology& map, std::uint32_t max_packet) const;

  private:
    void apply(std::uint32_t exception, std::uint32_t first, std::uint32_t last);
    std::uint32_t changed(std::uint32_t which, std::uint32_t exception);
    std::uint32_t add(const config::value& section);
    void drop_unused();
    void check_suits(std::uint32_t router, const topology& map, const config::location& at) const;
    void look_at_levels(const experiment& e, const topology& map);
    void find_packet();
    void check_depth(std::uint32_t router, std::uint32_t max_packet) const;
    config::location place_of(std::uint32_t router) const;

    config::location m_at;       ///< place of the experiment
    std::uint32_t m_packet = 0;  ///< router_terms::packet, if some routers have it; else 0
    std::vector<std::string> m_safety;
    std::vector<router_exception> m_exceptions;
    std::vector<config::value> m_sections;  ///< section 'router' of each group
    std::vector<group> m_groups;
    static constexpr std::uint32_t no_entry = 0xffffffff;
    std::vector<std::uint32_t> m_group_of;           ///< number of its group, by router
    std::vector<std::uint32_t> m_entry_of;           ///< last exception that names it, or no_entry; by router
    std::map<std::string, std::uint32_t> m_by_text;  ///< number of a group, by the text of its section
    /// Number of the group that a group becomes by an exception, by numbers of group and exception.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_changed;
};

}  // namespace sare
