// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/groups.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace sare::capture {
namespace {

struct known_groups {
    std::mutex alone;
    std::unordered_map<std::uintptr_t, group_pointer> comms, windows;
    MPI_Group world = MPI_GROUP_NULL;
    int tasks = 1, task = 0;
    int made = 0;  ///< count of numbers that this process has given
};

known_groups& known() {
    static known_groups& all = *new known_groups;  // as the recorder
    return all;
}

/// Returns the tasks of a communicator's group, and frees the group.
std::vector<int> take_tasks(MPI_Group from) {
    std::vector<int> tasks = tasks_of(from);
    PMPI_Group_free(&from);
    return tasks;
}

bool all_here(const group& g) {
    return std::find(g.world.begin(), g.world.end(), MPI_UNDEFINED) == g.world.end();
}

/// Returns a number that no other process gives; 1 and following are those of the processes alone.
int new_number() {
    known_groups& k = known();
    const std::lock_guard<std::mutex> alone(k.alone);
    const std::int64_t number = std::int64_t{k.tasks} * ++k.made + k.task + 1;
    if (number <= INT32_MAX) return static_cast<int>(number);
    record().warn("too many communicators; messages on the later ones are left out");
    return -1;
}

void write(const group& g) {
    std::string line = "communicator " + std::to_string(g.number);
    for (const int task : g.world) line += ' ' + std::to_string(task);
    record().communicator(line);
}

group members(MPI_Comm comm) {
    group g;
    MPI_Group own = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &own);
    g.world = take_tasks(own);
    g.size = static_cast<int>(g.world.size());
    PMPI_Comm_rank(comm, &g.rank);
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    g.inter = inter != 0;
    if (!g.inter) return g;
    MPI_Group remote = MPI_GROUP_NULL;
    PMPI_Comm_remote_group(comm, &remote);
    std::vector<int> others = take_tasks(remote);
    // Both sides must have the same order: that of who leads them.
    if (others.front() > g.world.front()) {
        g.peer_first = g.size;
        g.world.insert(g.world.end(), others.begin(), others.end());
    } else {
        g.own_first = g.peer_first = static_cast<int>(others.size());
        g.peer_first = 0;
        others.insert(others.end(), g.world.begin(), g.world.end());
        g.world = std::move(others);
    }
    return g;
}

/// Agrees on a number in an intercommunicator, in two rounds: a side gets what the other has reduced.
int agree_across(MPI_Comm comm, int proposed) {
    int there = -1, back = -1;
    SARE_REAL(Allreduce)(&proposed, &there, 1, MPI_INT, MPI_MAX, comm);
    const int heard = std::max(proposed, there);
    SARE_REAL(Allreduce)(&heard, &back, 1, MPI_INT, MPI_MAX, comm);
    return std::max(heard, back);
}

void keep(MPI_Comm comm, group g) {
    if (g.number < 0 || !all_here(g)) return;
    if (g.world.front() == known().task) write(g);
    const std::lock_guard<std::mutex> alone(known().alone);
    known().comms[key(comm)] = std::make_shared<group>(std::move(g));
}

group_pointer find(const std::unordered_map<std::uintptr_t, group_pointer>& map, std::uintptr_t handle) {
    const std::lock_guard<std::mutex> alone(known().alone);
    const auto found = map.find(handle);
    if (found != map.end()) return found->second;
    return nullptr;
}

}  // namespace

std::vector<int> tasks_of(MPI_Group some) {
    int size = 0;
    PMPI_Group_size(some, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size)), tasks(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    PMPI_Group_translate_ranks(some, size, ranks.data(), known().world, tasks.data());
    return tasks;
}

void begin_groups() {
    known_groups& k = known();
    PMPI_Comm_group(MPI_COMM_WORLD, &k.world);
    group world = members(MPI_COMM_WORLD);
    k.tasks = world.size;
    k.task = world.rank;
    k.comms[key(MPI_COMM_WORLD)] = std::make_shared<group>(std::move(world));
}

group_pointer group_of(MPI_Comm comm, bool said) {
    group_pointer found = find(known().comms, key(comm));
    if (!found && comm == MPI_COMM_SELF) {
        group self = members(comm);
        self.number = known().task + 1;
        keep(comm, std::move(self));
        found = find(known().comms, key(comm));
    }
    if (!found && said)
        record().warn(
            "a communicator is not known (of processes that were spawned, or of a session); what is done on "
            "it is left out");
    return found;
}

void adopt(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return;
    group g = members(comm);
    const bool leads = g.world.front() == known().task;
    int number = leads ? new_number() : -1;
    if (g.inter)
        number = agree_across(comm, number);
    else
        SARE_REAL(Bcast)(&number, 1, MPI_INT, 0, comm);
    g.number = number;
    keep(comm, std::move(g));
}

std::function<void()> adopt_later(MPI_Comm parent, MPI_Comm* made) {
    struct agreement {
        group g;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    auto agreed = std::make_shared<agreement>();
    agreed->g = members(parent);
    if (agreed->g.inter) {
        record().warn("MPI_Comm_idup of an intercommunicator: what is done on it is left out");
        return [] {};
    }
    agreed->g.number = agreed->g.rank == 0 ? new_number() : -1;
    SARE_REAL(Ibcast)(&agreed->g.number, 1, MPI_INT, 0, parent, &agreed->request);
    return [agreed, made] {
        SARE_REAL(Wait)(&agreed->request, MPI_STATUS_IGNORE);
        keep(*made, std::move(agreed->g));
    };
}

void forget(MPI_Comm comm) {
    const std::lock_guard<std::mutex> alone(known().alone);
    known().comms.erase(key(comm));
}

void adopt_window(MPI_Win window, MPI_Comm comm) {
    group g = members(comm);
    g.number = g.rank == 0 ? new_number() : -1;
    SARE_REAL(Bcast)(&g.number, 1, MPI_INT, 0, comm);
    if (g.number < 0 || !all_here(g)) return;
    if (g.rank == 0) write(g);
    const std::lock_guard<std::mutex> alone(known().alone);
    known().windows[key(window)] = std::make_shared<group>(std::move(g));
}

group_pointer window_group(MPI_Win window) {
    group_pointer found = find(known().windows, key(window));
    if (!found) record().warn("a window is not known; what is done on it is left out");
    return found;
}

void forget_window(MPI_Win window) {
    const std::lock_guard<std::mutex> alone(known().alone);
    known().windows.erase(key(window));
}

}  // namespace sare::capture
