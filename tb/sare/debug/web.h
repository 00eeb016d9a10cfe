// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/debug/state_json.h"

#include <string>
#include <utility>
#include <vector>

namespace sare::cli {

class debugger;
class engine_processes;

/// Serves the debugger to a browser on this machine, until the command `quit`: the page that draws the
/// network, and commands. Prints its address, in which a random word keeps others out. `name`: name of the
/// experiment. `run`: processes of the run that `all` controls. Returns an exit status. Throws config::error
/// in a program that was built without cpp-httplib.
int serve_debugger(debugger& all, engine_processes& run, const std::string& name);

/// Returns the parts of a network that do not change, as the page draws it: routers, nodes and `links`. Null
/// in a program without cpp-httplib.
state_json map_for_page(const network_view& net, const std::vector<std::pair<link_end, link_end>>& links);

}  // namespace sare::cli
