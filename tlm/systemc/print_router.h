// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {
class cycle_engine;
}

/// Functions for debuggers: gdb calls them by these names, with or without debug information.
extern "C" {
/// Prints the state of the router module with the hierarchical name `name` ("net.r3") to stdout, as
/// describe_router() returns it. For another SystemC object it calls dump(); for none it prints one line.
void sare_print_router(const char* name);
/// Prints the state of router number `router` of an engine to stdout.
void sare_print_router_of(const sare::cycle_engine* engine, unsigned router);
}
