// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {
namespace {

using pick = collective_choice::pick;

const std::vector<std::pair<op, pick collective_choice::*>>& members() {
    static const std::vector<std::pair<op, pick collective_choice::*>> all = {
        {op::bcast, &collective_choice::bcast},
        {op::reduce, &collective_choice::reduce},
        {op::allreduce, &collective_choice::allreduce},
        {op::barrier, &collective_choice::barrier},
        {op::allgather, &collective_choice::allgather},
        {op::alltoall, &collective_choice::alltoall},
        {op::alltoallv, &collective_choice::alltoallv},
        {op::gather, &collective_choice::gather},
        {op::scatter, &collective_choice::scatter},
        {op::reduce_scatter, &collective_choice::reduce_scatter},
        {op::scan, &collective_choice::scan}};
    return all;
}

}  // namespace

const std::vector<collective_algorithm>& collective_algorithms() {
    static const std::vector<collective_algorithm> all = {
        {op::bcast, "binomial", bcast_binomial},
        {op::bcast, "linear", bcast_linear},
        {op::bcast, "scatter_allgather", bcast_scatter_allgather},
        {op::reduce, "binomial", reduce_binomial},
        {op::reduce, "linear", reduce_linear},
        {op::allreduce, "recursive_doubling", allreduce_recursive_doubling},
        {op::allreduce, "ring", allreduce_ring},
        {op::allreduce, "recursive_halving", allreduce_recursive_halving},
        {op::allreduce, "reduce_bcast", allreduce_reduce_bcast},
        {op::barrier, "dissemination", barrier_dissemination},
        {op::barrier, "tree", barrier_tree},
        {op::barrier, "root", barrier_root},
        {op::barrier, "two_level", barrier_two_level},
        {op::allgather, "ring", allgather_ring},
        {op::allgather, "recursive_doubling", allgather_recursive_doubling},
        {op::alltoall, "pairwise", alltoall_pairwise},
        {op::alltoall, "linear", alltoall_linear},
        {op::alltoall, "bruck", alltoall_bruck},
        {op::alltoallv, "pairwise", alltoall_pairwise},
        {op::alltoallv, "linear", alltoall_linear},
        {op::alltoallv, "sparse", alltoall_sparse},
        {op::gather, "binomial", gather_binomial},
        {op::gather, "linear", gather_linear},
        {op::scatter, "binomial", scatter_binomial},
        {op::scatter, "linear", scatter_linear},
        {op::reduce_scatter, "pairwise", reduce_scatter_pairwise},
        {op::reduce_scatter, "recursive_halving", reduce_scatter_recursive_halving},
        {op::scan, "linear", scan_linear},
    };
    return all;
}

op algorithm_family(op what) {
    switch (what) {
        case op::allgatherv:
            return op::allgather;
        case op::gatherv:
            return op::gather;
        case op::scatterv:
            return op::scatter;
        case op::exscan:
            return op::scan;
        case op::fence:
            return op::barrier;
        default:
            return what;
    }
}

collective_choice::collective_choice() {
    for (const auto& [what, member] : members()) {
        this->*member = nullptr;
        for (const auto& a : collective_algorithms())
            if (a.what == what && this->*member == nullptr) this->*member = &a;
    }
}

const collective_algorithm& collective_choice::of(op what) const {
    const op family = algorithm_family(what);
    for (const auto& [o, member] : members())
        if (o == family) return *(this->*member);
    return *barrier;
}

const config::schema<collective_choice>& collective_fields() {
    static const auto fields = [] {
        config::schema<collective_choice> s;
        for (const auto& [what, member] : members()) {
            std::vector<std::pair<std::string, pick>> names;
            for (const auto& a : collective_algorithms())
                if (a.what == what) names.emplace_back(a.name, &a);
            s.choice(op_name(what), member, names, std::string("algorithm of ") + op_name(what));
        }
        return s;
    }();
    return fields;
}

}  // namespace sare::traffic
