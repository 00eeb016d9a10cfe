// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/cost_table.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sare {

/// Tables that were read, each file once for all experiments.
class table_shelf {
  public:
    using tables = std::vector<std::shared_ptr<const cost_table>>;

    /// Returns a table, and reads it the first time. Throws config::error.
    std::shared_ptr<const cost_table> table(const std::string& file) {
        std::shared_ptr<const cost_table>& its = m_all[file];
        if (!its) its = std::make_shared<const cost_table>(cost_table::load(file));
        return its;
    }

  private:
    std::map<std::string, std::shared_ptr<const cost_table>> m_all;
};

}  // namespace sare
