// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/fabric/workload.h"

#include <functional>

/// What a run shows beside its results, when it is asked for: the section `observe`.
namespace sare {

struct observation_params {
    bool matrix = false, timeline = false, critical_path = false, paje = false;
    bool perfetto = false, packets = true;
    config::number_set tasks = all_of_them();
    std::uint64_t from = 0, to = 0;  ///< cycles; 0: to the end
    std::uint64_t interval = 100;    ///< cycles of a value of a link's load
    config::location at;             ///< of the section

    static config::schema<observation_params> fields();
    /// Something that only a program can show.
    bool of_program() const { return matrix || timeline || critical_path || paje; }
    cycle_t end() const { return to == 0 ? workload::never : to; }

  private:
    static config::number_set all_of_them() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

struct observation {
    observation_params what;
    /// Cycles of a message that is alone in the network: of the contention-free model.
    std::function<cycle_t(const message&)> alone;
};

}  // namespace sare
