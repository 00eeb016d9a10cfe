// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/cost_table.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sare {

/// Cost tables that were read, so that each file is read once for all points of a sweep.
class table_shelf {
  public:
    using tables = std::vector<std::shared_ptr<const cost_table>>;  ///< list of tables; no element is null

    /// Returns the table of a file, given by its path, which is read the first time (again for another
    /// spelling of the path). Throws config::error if it cannot be read or is no cost table.
    std::shared_ptr<const cost_table> table(const std::string& file) {
        std::shared_ptr<const cost_table>& its = m_all[file];
        if (!its) its = std::make_shared<const cost_table>(cost_table::load(file));
        return its;
    }

  private:
    std::map<std::string, std::shared_ptr<const cost_table>> m_all;  ///< tables by path
};

}  // namespace sare
