// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_making.h"

#include <fmt/format.h>

namespace sare::traffic {
namespace {

using fn = dumpi_function;

/// True for calls that have two numbers of groups or communicators, the old one and the new one, or three.
bool is_short_making(const dumpi_call& call, dumpi_making& making) {
    const auto two = [&](dumpi_making::kind how) {
        making.how = how;
        making.from = call.values[0];
        making.made = call.values[1];
        return true;
    };
    const auto three = [&](dumpi_making::kind how) {
        two(how);
        making.other = call.values[1];
        making.made = call.values[2];
        return true;
    };
    switch (call.function) {
        case fn::comm_group:
            return two(dumpi_making::group_of);
        case fn::comm_remote_group:
            return two(dumpi_making::remote_group_of);
        case fn::win_get_group:
            return two(dumpi_making::window_group);
        case fn::comm_dup:
            return two(dumpi_making::dup);
        case fn::group_union:
            return three(dumpi_making::group_union);
        case fn::group_intersection:
            return three(dumpi_making::group_intersection);
        case fn::group_difference:
            return three(dumpi_making::group_difference);
        case fn::comm_create:
            return three(dumpi_making::create);
        default:
            return false;
    }
}

/// True for calls that have a list.
bool is_list_making(const dumpi_call& call, dumpi_making& making) {
    const auto& v = call.values;
    const auto list = [&](dumpi_making::kind how, std::int64_t from, std::int64_t made) {
        making.how = how;
        making.from = from;
        making.made = made;
        making.list = call.arrays[0];
        return true;
    };
    switch (call.function) {
        case fn::group_incl:
            return list(dumpi_making::group_incl, v[0], v[2]);
        case fn::group_excl:
            return list(dumpi_making::group_excl, v[0], v[2]);
        case fn::group_range_incl:
            return list(dumpi_making::group_range_incl, v[0], v[2]);
        case fn::group_range_excl:
            return list(dumpi_making::group_range_excl, v[0], v[2]);
        case fn::cart_create:
            making.key = v[2];
            return list(dumpi_making::cart, v[0], v[3]);
        case fn::cart_sub:
            return list(dumpi_making::cart_sub, v[1], v[2]);
        default:
            return false;
    }
}

}  // namespace

bool is_making(const dumpi_call& call, dumpi_making& making) {
    if (call.function < fn::comm_group) return false;
    const auto& v = call.values;
    making = {};
    making.call = call.number;
    if (is_short_making(call, making) || is_list_making(call, making)) return true;
    const auto all = [&](dumpi_making::kind how, std::int64_t from, std::int64_t color, std::int64_t key,
                         std::int64_t made) {
        making.how = how;
        making.from = from;
        making.color = color;
        making.key = key;
        making.made = made;
        return true;
    };
    switch (call.function) {
        case fn::win_create:
            return all(dumpi_making::window, v[3], 0, 0, v[4]);
        case fn::comm_split:
            return all(dumpi_making::split, v[0], v[1], v[2], v[3]);
        case fn::intercomm_create:
            making.other = v[2];
            making.tag = v[4];
            return all(dumpi_making::intercomm_create, v[0], v[1], v[3], v[5]);
        case fn::intercomm_merge:
            return all(dumpi_making::intercomm_merge, v[0], v[1], 0, v[2]);
        case fn::graph_create:
            return all(dumpi_making::graph, v[1], v[2], v[3], v[4]);
        default:
            return false;
    }
}

std::string dumpi_making::text() const {
    static constexpr const char* names[] = {
        "Comm_group",       "Comm_remote_group", "Win_get_group", "Group_union",      "Group_intersection",
        "Group_difference", "Group_incl",        "Group_excl",    "Group_range_incl", "Group_range_excl",
        "Win_create",       "Comm_dup",          "Comm_create",   "Comm_split",       "Intercomm_create",
        "Intercomm_merge",  "Cart_create",       "Cart_sub",      "Graph_create"};
    return fmt::format("MPI_{} at call {}", names[how], call);
}

void dumpi_makings::see(const dumpi_call& call) {
    if (call.function == fn::comm_rank) {
        const auto found = m_latest.find(call.values[0]);
        if (found != m_latest.end()) m_all[found->second].said_rank = call.values[1];
        return;
    }
    dumpi_making making;
    if (!is_making(call, making)) return;
    if (making.makes_communicator()) m_latest[making.made] = m_all.size();
    m_all.push_back(std::move(making));
}

}  // namespace sare::traffic
