// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace sare {

/// True if the section 'links' gives some of them to certain message classes.
bool any_link_of_classes(const config::value& links);

/// Which links between routers a message class may use (`classes` of the section 'links').
class class_links {
  public:
    /// Throws config::error for classes that there are not. `map` outlives it.
    class_links(const config::value& links, const topology& map, std::uint32_t classes);

    bool carries(std::uint32_t router, std::uint32_t port, std::uint32_t message_class) const;
    /// The network without the links that do not carry a class. Throws config::error where some node cannot
    /// send to another over the others.
    std::unique_ptr<topology> seen_by(std::uint32_t message_class) const;

  private:
    const topology& m_map;
    config::location m_at;                                                       ///< of the section
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_carried;  ///< a bit a class
};

}  // namespace sare
