// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/recorder.h"

// Without MPI's old C++ functions, which want libraries of their own.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#ifdef OPEN_MPI
#include <dlfcn.h>
#endif

/// Helpers for the files that define functions with the names of MPI's.

#define SARE_EXPORT extern "C" __attribute__((visibility("default")))

/// SARE_REAL(name): the MPI library's own function. Open MPI's Fortran functions call PMPI_Send where MPICH's
/// call MPI_Send; so with Open MPI this library defines both names, and finds the MPI library's function as
/// the next one of that name.
#ifdef OPEN_MPI
#define SARE_REAL(name)                                                                                      \
    ([]() -> auto& {                                                                                         \
        static const auto below = reinterpret_cast<decltype(&PMPI_##name)>(dlsym(RTLD_NEXT, "PMPI_" #name)); \
        return *below;                                                                                       \
    }())
#define SARE_ALSO_PMPI(name) \
    SARE_EXPORT decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
#else
#define SARE_REAL(name) PMPI_##name
#define SARE_ALSO_PMPI(name)
#endif

/// A list with commas as one argument of a macro.
#define SARE_LIST(...) __VA_ARGS__

/// SARE_CALL(Send, SARE_LIST(parameters), SARE_LIST(arguments), body): defines MPI_Send. `body`: statements
/// that run for calls which are to be recorded; they call the library's function by `real()` and return its
/// result. All other calls go to the library at once.
#define SARE_CALL(name, parameters, arguments, ...)                   \
    SARE_EXPORT int MPI_##name(parameters) {                          \
        const sare::capture::call in;                                 \
        const auto real = [&] { return SARE_REAL(name)(arguments); }; \
        if (!in.recorded()) return real();                            \
        __VA_ARGS__                                                   \
    }                                                                 \
    SARE_ALSO_PMPI(name)

namespace sare::capture {

/// Returns the recorder of this process.
inline recorder& record() {
    return recorder::instance();
}

/// Returns a handle of MPI, which is an integer or a pointer, as a number; handles that differ have different
/// numbers.
template <class Handle>
std::uintptr_t key(Handle handle) {
    return (std::uintptr_t)handle;  // NOLINT: what it is differs
}

/// Returns the bytes of `count` elements of a datatype.
inline std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return count * size;
}

/// Returns the bytes that a receive with this status has got; 0 if MPI does not know.
inline std::int64_t bytes_of(const MPI_Status& status) {
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    return bytes == MPI_UNDEFINED ? 0 : bytes;
}

}  // namespace sare::capture
