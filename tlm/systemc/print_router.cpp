// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/print_router.h"

#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"
#include "tlm/systemc/modules.h"

#include <iostream>

// A linker keeps them though nothing calls them, and a stripped program shows them where it exports symbols.
extern "C" __attribute__((used, visibility("default"))) void sare_print_router(const char* name) {
    if (name == nullptr) name = "";
    const sc_core::sc_object* const object = sc_core::sc_find_object(name);
    if (const auto* router = dynamic_cast<const sare::router*>(object))
        std::cout << name << ": " << sare::describe_router(router->engine().net().view(), router->id());
    else if (object != nullptr)
        object->dump(std::cout);
    else
        std::cout << "there is no SystemC object " << name << '\n';
    std::cout.flush();
}

extern "C" __attribute__((used, visibility("default"))) void sare_print_router_of(
    const sare::cycle_engine* engine, unsigned router) {
    if (engine == nullptr)
        std::cout << "there is no engine\n" << std::flush;
    else
        std::cout << sare::describe_router(engine->net().view(), router) << std::flush;
}
