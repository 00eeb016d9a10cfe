// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace sare {

/// True if an entry of the section 'links' has the key 'classes', which gives links to certain message
/// classes.
bool any_link_of_classes(const config::value& links);

/// Links between routers that a message class may use (`classes` of the section 'links').
class class_links {
  public:
    /// Reads the entries with `classes` of the section 'links'; for a link that several of them name, the
    /// last one counts. `classes`: number of message classes. Throws config::error if the section is
    /// malformed, if such an entry names no existing link, or if one of its classes is not below `classes`.
    /// `map` must outlive this.
    class_links(const config::value& links, const topology& map, std::uint32_t classes);

    /// True if packets of a class may use the link that begins at an output port; true for every link that no
    /// entry names.
    bool carries(std::uint32_t router, std::uint32_t port, std::uint32_t message_class) const;
    /// Returns `map` without the links that a class may not use. Throws config::error if a node cannot send
    /// to another one over the remaining links.
    std::unique_ptr<topology> seen_by(std::uint32_t message_class) const;

  private:
    const topology& m_map;
    config::location m_at;  ///< place of the section, for error messages
    /// Mask of the message classes, class c in bit c, that the link at an output port carries; by router and
    /// port. Links that are not in the map carry all classes.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_carried;
};

}  // namespace sare
