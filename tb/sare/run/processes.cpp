// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/processes.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace sare::cli {

/// Reads the environment that Open MPI, or other starters by PMI, give each process.
started_processes processes_started() {
    const auto number = [](const char* name, long otherwise) {
        const char* const text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
    };
    return {number("OMPI_COMM_WORLD_SIZE", number("PMI_SIZE", 1)),
            number("OMPI_COMM_WORLD_RANK", number("PMI_RANK", 0))};
}

std::unique_ptr<world> join_processes() {
    const long count = processes_started().count;
    if (count <= 1) return nullptr;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    for (const auto& folder : {here, here / "../lib/sare"}) {
        const std::filesystem::path file = folder / "libsare_mpi.so";
        if (!std::filesystem::exists(file)) continue;
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) throw config::error(dlerror());
        auto* const make = reinterpret_cast<world* (*)()>(dlsym(library, "sare_make_world"));
        if (make == nullptr) throw config::error(file.string() + ": not a library of Sare's");
        return std::unique_ptr<world>(make());
    }
    throw config::error(
        fmt::format("this is one of {} processes of an mpirun, and libsare_mpi.so, by which they run a "
                    "network together, is not in {}: Sare was built without Open MPI (libopenmpi-dev)",
                    count, here.string()));
}

}  // namespace sare::cli
