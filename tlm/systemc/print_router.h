// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {
class cycle_engine;
}

/// For debuggers: gdb calls them by these names, with or without debug information.
extern "C" {
/// Prints the router module of that hierarchical name ("net.r3") to stdout, as describe_router() has it; of
/// another SystemC object what its dump() says; one line where there is no such object.
void sare_print_router(const char* name);
/// The same for a router by its number.
void sare_print_router_of(const sare::cycle_engine* engine, unsigned router);
}
