// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/params.h"

#include "tlm/config/checked.h"

namespace sare {

config::schema<memory_bridge_params> memory_bridge_params::fields() {
    using p = memory_bridge_params;
    config::schema<p> s;
    s.choice("order", &p::order,
             {{"reorder", access_order::reorder},
              {"wait", access_order::wait},
              {"network", access_order::network}},
             "How accesses of one initiator and ID stay in order: by reorder buffers; one waits for the "
             "response of the one before; or the network keeps them so.")
        .number("outstanding", &p::outstanding, 1, 65535, "accesses",
                "Of an initiator, from END_REQ to END_RESP; more wait before END_REQ.")
        .number("window", &p::window, 1, 65535, "requests",
                "Places that a memory keeps for each initiator: so many of its requests at the most are on "
                "their way to the memory or there.")
        .choice("timing", &p::timing,
                {{"blocking", memory_timing::blocking}, {"phases", memory_timing::phases}},
                "How memories are called: b_transport, or the phases of nb_transport.")
        .number("at_once", &p::at_once, 1, 1024, "accesses", "With a memory at the same time.")
        .choice("atomics", &p::atomics, {{"bridge", atomic_place::bridge}, {"memory", atomic_place::memory}},
                "Who does atomic accesses: the bridge, by a read and a write that nothing comes between, or "
                "the memory, which knows them.")
        .choice("mode", &p::mode,
                {{"exact", access_mode::exact},
                 {"estimate", access_mode::estimate},
                 {"functional", access_mode::functional}},
                "How exact accesses of the initiators are: carried by the network; done at once, with the "
                "time that the network is estimated to take; or done at once, in no time of the network's.")
        .number("sample", &p::sample, 0, 1'000'000'000, "accesses",
                "Estimated ones of an initiator of which one sends its messages after all, to learn from "
                "them; 0: none does.");
    return s;
}

void memory_bridge_params::check() const {
    config::check_ranges(*this, "memory_bridge");
}

}  // namespace sare
