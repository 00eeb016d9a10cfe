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

/// An entry of the section 'routers': which routers, and what is different about them.
struct router_exception {
    config::number_set at;
    config::value changes;  ///< keys of the section 'router', 'kind' among them

    static std::vector<router_exception> read(const config::value& list);
    /// What a network says of its own routers.
    static std::vector<router_exception> of(const topology& map);
    /// `section` with the changes on top: with the defaults of another kind below them where they name one.
    config::value applied_to(const config::value& section) const;
};

/// The section 'router' with what 'routers' changes for all of them.
config::value router_section(const config::value& router, const std::vector<router_exception>& exceptions);

/// Which router of a network is what: routers of the same parameters share one model.
class router_plan {
  public:
    /// Of the routers of `map`. Throws config::error for an entry that cannot be read, for a router that is
    /// not there, for one that brings another routing than the rest, and for packets of different lengths.
    router_plan(const experiment& e, const topology& map);

    /// Routers that are alike.
    struct group {
        std::shared_ptr<const router_model> model;
        router_terms terms;  ///< of the model
        std::string name;    ///< the kind, and what differs from the section 'router': "vc, depth 16"
    };
    const group& of(std::uint32_t router) const { return m_groups[m_group_of[router]]; }
    const router_model& model(std::uint32_t router) const { return *of(router).model; }
    const router_terms& terms(std::uint32_t router) const { return of(router).terms; }
    const std::vector<group>& groups() const { return m_groups; }
    /// By level of topology::part_of(): why no network of its routers can deadlock; "" where that is for the
    /// static check to find out.
    const std::vector<std::string>& deadlock_free_by_design() const { return m_safety; }
    /// NICs as they must be beside these routers: if some have packets of one length only, all have them.
    nic_params with_packets(const nic_params& given) const;
    /// The routers of a group, as runs of numbers.
    config::number_set routers_of(std::uint32_t which) const;

    /// Throws config::error where two routers with a link between them do not agree on what crosses it.
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

    config::location m_at;       ///< of the experiment
    std::uint32_t m_packet = 0;  ///< see router_terms
    std::vector<std::string> m_safety;
    std::vector<router_exception> m_exceptions;
    std::vector<config::value> m_sections;  ///< by group
    std::vector<group> m_groups;
    static constexpr std::uint32_t no_entry = 0xffffffff;
    std::vector<std::uint32_t> m_group_of;           ///< by router
    std::vector<std::uint32_t> m_entry_of;           ///< by router: the last exception that names it
    std::map<std::string, std::uint32_t> m_by_text;  ///< the group of a resolved section
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_changed;  ///< by group and exception
};

}  // namespace sare
