// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/requests.h"

#include <algorithm>
#include <map>

/// Puts and gets, and calls that order them. Ranks are those of the window, which has its own communicator.
namespace sare::capture {
namespace {

constexpr int posted_tag = 0,
              completed_tag = 1;  ///< tags of messages without bytes, in MPI_Win_post and _complete

/// Records a transfer; `action` is put or get.
void transfer(const char* action, MPI_Win window, int target, std::int64_t bytes) {
    if (target == MPI_PROC_NULL) return;
    if (const auto on = window_group(window)) record().event(action, target, bytes, on->on());
}

/// Records a transfer with a request.
template <class Real>
int begin_transfer(const char* action, MPI_Win window, int target, std::int64_t bytes, MPI_Request* request,
                   const Real& real) {
    const auto on = target == MPI_PROC_NULL ? nullptr : window_group(window);
    if (!on) return real();
    operation o;
    o.first = record().name();
    o.events = 1;
    record().event(action, target, bytes, on->on(), "name=" + std::to_string(o.first));
    const int result = real();
    begin_request(*request, std::move(o));
    return result;
}

void flush(MPI_Win window, const std::string& target = "") {
    if (const auto on = window_group(window)) record().event("flush", target, on->on());
}

/// The groups that a window was opened to, or for.
struct exposure {
    std::mutex alone;
    std::map<std::uintptr_t, std::vector<int>> targets, origins;
};

exposure& exposed() {
    static exposure& all = *new exposure;  // as the recorder
    return all;
}

std::vector<int> ranks_of(MPI_Group some, const group& on) {
    std::vector<int> ranks = tasks_of(some);
    for (int& r : ranks)
        r = static_cast<int>(std::find(on.world.begin(), on.world.end(), r) - on.world.begin());
    return ranks;
}

/// Tells `others` that they may go on; nobody waits for these messages to leave.
void tell(const std::vector<int>& others, int tag, const group& on) {
    for (const int rank : others) record().event("isend", rank, 0, tag, "-", on.on());
}

void hear(const std::vector<int>& others, int tag, const group& on) {
    for (const int rank : others) record().event("recv", rank, 0, tag, on.on());
}

std::vector<int> taken(std::map<std::uintptr_t, std::vector<int>>& from, MPI_Win window) {
    const std::lock_guard<std::mutex> alone(exposed().alone);
    std::vector<int> ranks;
    ranks.swap(from[key(window)]);
    return ranks;
}

void kept(std::map<std::uintptr_t, std::vector<int>>& in, MPI_Win window, const std::vector<int>& ranks) {
    const std::lock_guard<std::mutex> alone(exposed().alone);
    in[key(window)] = ranks;
}

void closed(MPI_Win window) {
    if (const auto on = window_group(window)) hear(taken(exposed().origins, window), completed_tag, *on);
}

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

#define SARE_MAKES_WINDOW(name, parameters, arguments)             \
    SARE_CALL(name, SARE_LIST(parameters), SARE_LIST(arguments), { \
        const int result = real();                                 \
        adopt_window(*window, comm);                               \
        return result;                                             \
    })
SARE_MAKES_WINDOW(Win_create,
                  SARE_LIST(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                            MPI_Win* window),
                  SARE_LIST(base, size, unit, info, comm, window))
SARE_MAKES_WINDOW(Win_allocate,
                  SARE_LIST(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window),
                  SARE_LIST(size, unit, info, comm, base, window))
SARE_MAKES_WINDOW(Win_allocate_shared,
                  SARE_LIST(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window),
                  SARE_LIST(size, unit, info, comm, base, window))
SARE_MAKES_WINDOW(Win_create_dynamic, SARE_LIST(MPI_Info info, MPI_Comm comm, MPI_Win* window),
                  SARE_LIST(info, comm, window))

// All that are in a window free it, and none goes on before.
SARE_CALL(Win_free, SARE_LIST(MPI_Win* window), SARE_LIST(window), {
    if (const auto on = window_group(*window)) record().event("barrier", on->on());
    forget_window(*window);
    return real();
})

#define SARE_TARGET int target, MPI_Aint at, int target_count, MPI_Datatype target_type
#define SARE_PUT(name, constant, action)                                                                 \
    SARE_CALL(name,                                                                                      \
              SARE_LIST(constant void* data, int count, MPI_Datatype type, SARE_TARGET, MPI_Win window), \
              SARE_LIST(data, count, type, target, at, target_count, target_type, window), {             \
                  transfer(action, window, target, bytes_of(count, type));                               \
                  return real();                                                                         \
              })
#define SARE_RPUT(name, constant, action)                                                               \
    SARE_CALL(name,                                                                                     \
              SARE_LIST(constant void* data, int count, MPI_Datatype type, SARE_TARGET, MPI_Win window, \
                        MPI_Request* request),                                                          \
              SARE_LIST(data, count, type, target, at, target_count, target_type, window, request),     \
              { return begin_transfer(action, window, target, bytes_of(count, type), request, real); })
SARE_PUT(Put, const, "put")
SARE_PUT(Get, , "get")
SARE_RPUT(Rput, const, "put")
SARE_RPUT(Rget, , "get")

SARE_CALL(Accumulate,
          SARE_LIST(const void* data, int count, MPI_Datatype type, SARE_TARGET, MPI_Op op, MPI_Win window),
          SARE_LIST(data, count, type, target, at, target_count, target_type, op, window), {
              transfer("put", window, target, bytes_of(count, type));
              return real();
          })

SARE_CALL(Raccumulate,
          SARE_LIST(const void* data, int count, MPI_Datatype type, SARE_TARGET, MPI_Op op, MPI_Win window,
                    MPI_Request* request),
          SARE_LIST(data, count, type, target, at, target_count, target_type, op, window, request),
          { return begin_transfer("put", window, target, bytes_of(count, type), request, real); })

#define SARE_GET_ACCUMULATE                                                                          \
    const void *data, int count, MPI_Datatype type, void *got, int got_count, MPI_Datatype got_type, \
        SARE_TARGET, MPI_Op op, MPI_Win window

SARE_CALL(Get_accumulate, SARE_LIST(SARE_GET_ACCUMULATE),
          SARE_LIST(data, count, type, got, got_count, got_type, target, at, target_count, target_type, op,
                    window),
          {
              if (op != MPI_NO_OP) transfer("put", window, target, bytes_of(count, type));
              transfer("get", window, target, bytes_of(got_count, got_type));
              return real();
          })

SARE_CALL(Rget_accumulate, SARE_LIST(SARE_GET_ACCUMULATE, MPI_Request* request),
          SARE_LIST(data, count, type, got, got_count, got_type, target, at, target_count, target_type, op,
                    window, request),
          {
              if (op != MPI_NO_OP) transfer("put", window, target, bytes_of(count, type));
              return begin_transfer("get", window, target, bytes_of(got_count, got_type), request, real);
          })

SARE_CALL(Fetch_and_op,
          SARE_LIST(const void* data, void* got, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                    MPI_Win window),
          SARE_LIST(data, got, type, target, at, op, window), {
              if (op != MPI_NO_OP) transfer("put", window, target, bytes_of(1, type));
              transfer("get", window, target, bytes_of(1, type));
              return real();
          })

SARE_CALL(Compare_and_swap,
          SARE_LIST(const void* data, const void* compared, void* got, MPI_Datatype type, int target,
                    MPI_Aint at, MPI_Win window),
          SARE_LIST(data, compared, got, type, target, at, window), {
              transfer("put", window, target, 2 * bytes_of(1, type));
              transfer("get", window, target, bytes_of(1, type));
              return real();
          })

SARE_CALL(Win_fence, SARE_LIST(int assert, MPI_Win window), SARE_LIST(assert, window), {
    if (const auto on = window_group(window)) record().event("fence", on->on());
    return real();
})

#define SARE_FLUSH(name)                                                                \
    SARE_CALL(name, SARE_LIST(int target, MPI_Win window), SARE_LIST(target, window), { \
        if (target != MPI_PROC_NULL) flush(window, std::to_string(target));             \
        return real();                                                                  \
    })
#define SARE_FLUSH_ALL(name)                                        \
    SARE_CALL(name, SARE_LIST(MPI_Win window), SARE_LIST(window), { \
        flush(window);                                              \
        return real();                                              \
    })
SARE_FLUSH(Win_unlock)
SARE_FLUSH(Win_flush)
SARE_FLUSH(Win_flush_local)
SARE_FLUSH_ALL(Win_unlock_all)
SARE_FLUSH_ALL(Win_flush_all)
SARE_FLUSH_ALL(Win_flush_local_all)

// A lock is not waited for: who has it when is not in a trace.
SARE_CALL(Win_lock, SARE_LIST(int type, int target, int assert, MPI_Win window),
          SARE_LIST(type, target, assert, window), { return real(); })
SARE_CALL(Win_lock_all, SARE_LIST(int assert, MPI_Win window), SARE_LIST(assert, window), { return real(); })

SARE_CALL(Win_post, SARE_LIST(MPI_Group others, int assert, MPI_Win window),
          SARE_LIST(others, assert, window), {
              if (const auto on = window_group(window)) {
                  kept(exposed().origins, window, ranks_of(others, *on));
                  tell(ranks_of(others, *on), posted_tag, *on);
              }
              return real();
          })

SARE_CALL(Win_start, SARE_LIST(MPI_Group others, int assert, MPI_Win window),
          SARE_LIST(others, assert, window), {
              if (const auto on = window_group(window)) {
                  kept(exposed().targets, window, ranks_of(others, *on));
                  hear(ranks_of(others, *on), posted_tag, *on);
              }
              return real();
          })

SARE_CALL(Win_complete, SARE_LIST(MPI_Win window), SARE_LIST(window), {
    if (const auto on = window_group(window)) {
        flush(window);
        tell(taken(exposed().targets, window), completed_tag, *on);
    }
    return real();
})

SARE_CALL(Win_wait, SARE_LIST(MPI_Win window), SARE_LIST(window), {
    const int result = real();
    closed(window);
    return result;
})

SARE_CALL(Win_test, SARE_LIST(MPI_Win window, int* flag), SARE_LIST(window, flag), {
    const int result = real();
    if (*flag != 0) closed(window);
    return result;
})
