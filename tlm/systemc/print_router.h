// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {
class cycle_engine;
}

/// Functions to be called from a debugger such as gdb, with or without debug information.
extern "C" {
/// Prints the state of the router module with the hierarchical name `name`, such as "net.r3", to stdout, as
/// describe_router() in tlm/inside/describe.h returns it. For another SystemC object it calls dump(); if
/// there is none of that name, or `name` is null, it prints one line that says so.
void sare_print_router(const char* name);
/// Prints the state of router number `router` of an engine to stdout; if `engine` is null or has no such
/// router, prints a line that says so.
void sare_print_router_of(const sare::cycle_engine* engine, unsigned router);
}
