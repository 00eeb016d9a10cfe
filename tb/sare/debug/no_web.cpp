// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/web.h"

#include "tlm/config/value.h"

namespace sare::cli {

state_json map_for_page(const network_view&, const std::vector<std::pair<link_end, link_end>>&) {
    return nullptr;
}

int serve_debugger(debugger&, engine_processes&, const std::string&) {
    throw config::error("debug --web: this program was built without libcpp-httplib-dev");
}

}  // namespace sare::cli
