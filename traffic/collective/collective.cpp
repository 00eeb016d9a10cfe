// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {
namespace {

using pick = collective_choice::pick;

constexpr collective_carrier combiners = collective_carrier::combiners;

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

constexpr collective_algorithm algorithms[] = {
    {op::bcast, "binomial", "B down a binomial tree, in log2 n rounds", bcast_binomial},
    {op::bcast, "linear", "B from the root to each other task", bcast_linear},
    {op::bcast, "scatter_allgather",
     "parts of B down a binomial tree, then n-1 rounds of B/n to the next task", bcast_scatter_allgather},
    {op::bcast, "multicast", "B from the root, in packets that routers copy", in_network,
     collective_carrier::multicast},
    {op::bcast, "in_network", "B from the root, in packets that combiners copy", in_network, combiners},
    {op::reduce, "binomial", "B up a binomial tree, in log2 n rounds", reduce_binomial},
    {op::reduce, "linear", "B from each other task to the root", reduce_linear},
    {op::reduce, "in_network", "B from each task, which combiners add up for the root", in_network,
     combiners},
    {op::allreduce, "recursive_doubling", "log2 n exchanges of B, with task i xor 1, 2, 4, ...",
     allreduce_recursive_doubling},
    {op::allreduce, "ring", "2(n-1) rounds of B/n to the next task", one_ring},
    {op::allreduce, "bidirectional_ring", "2(n-1) rounds of B/2n to the next task and to the previous one",
     two_rings},
    {op::allreduce, "hierarchical",
     "chunk by chunk a reduce-scatter by rings on each of `levels` from inside, and an all-gather back",
     rings_by_level},
    {op::allreduce, "double_tree", "halves of B, in `chunks`, up and down two binary trees, those of NCCL",
     allreduce_double_tree},
    {op::allreduce, "recursive_halving",
     "exchanges of B/2, B/4, ..., B/n, with task i xor n/2, ..., 2, 1, and back",
     allreduce_recursive_halving},
    {op::allreduce, "reduce_bcast", "B up a binomial tree to task 0, and down again", allreduce_reduce_bcast},
    {op::allreduce, "in_network", "B from each task, which combiners add up and give to all", in_network,
     combiners},
    {op::barrier, "dissemination", "log2 n rounds, to task i+1, i+2, i+4, ...", barrier_dissemination},
    {op::barrier, "tree", "up a binomial tree to task 0, and down again", barrier_tree},
    {op::barrier, "root", "from each task to task 0, and back", barrier_root},
    {op::barrier, "two_level",
     "to the first task of each group of about sqrt(n), from these to task 0, and back", barrier_two_level},
    {op::barrier, "in_network", "from each task, and back when combiners have heard of all", in_network,
     combiners},
    {op::allgather, "ring", "n-1 rounds of b to the next task", one_ring},
    {op::allgather, "bidirectional_ring", "n-1 rounds of b/2 to the next task and to the previous one",
     two_rings},
    {op::allgather, "hierarchical", "chunk by chunk rings on each of `levels`, the inner ones last",
     rings_by_level},
    {op::allgather, "recursive_doubling", "exchanges of b, 2b, 4b, ..., with task i xor 1, 2, 4, ...",
     allgather_recursive_doubling},
    {op::alltoall, "pairwise",
     "n-1 exchanges of b, with task i xor s, or to i+s from i-s if n is no power of two", alltoall_pairwise},
    {op::alltoall, "linear", "b to each other task, all at once", alltoall_linear},
    {op::alltoall, "bruck", "log2 n rounds of about nb/2, to task i+1, i+2, i+4, ...", alltoall_bruck},
    {op::alltoallv, "pairwise",
     "n-1 exchanges, with task i xor s, or to i+s from i-s if n is no power of two", alltoall_pairwise},
    {op::alltoallv, "linear", "to each other task, all at once", alltoall_linear},
    {op::alltoallv, "sparse", "as linear, without empty messages", alltoall_sparse},
    {op::gather, "binomial", "b, 2b, 4b, ... up a binomial tree, in log2 n rounds", gather_binomial},
    {op::gather, "linear", "b from each other task to the root", gather_linear},
    {op::scatter, "binomial", "nb/2, nb/4, ..., b down a binomial tree, in log2 n rounds", scatter_binomial},
    {op::scatter, "linear", "b from the root to each other task", scatter_linear},
    {op::reduce_scatter, "pairwise", "n-1 exchanges of b, to task i+s from i-s", reduce_scatter_pairwise},
    {op::reduce_scatter, "ring", "n-1 rounds of b to the next task", one_ring},
    {op::reduce_scatter, "bidirectional_ring", "n-1 rounds of b/2 to the next task and to the previous one",
     two_rings},
    {op::reduce_scatter, "hierarchical", "chunk by chunk rings on each of `levels`, the inner ones first",
     rings_by_level},
    {op::reduce_scatter, "recursive_halving",
     "exchanges of nb/2, nb/4, ..., b, with task i xor n/2, ..., 2, 1", reduce_scatter_recursive_halving},
    {op::scan, "linear", "B from task i to i+1, when it has come from i-1", scan_linear},
};

}  // namespace

const std::vector<collective_algorithm>& collective_algorithms() {
    static const std::vector<collective_algorithm> all(std::begin(algorithms), std::end(algorithms));
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

std::vector<pick> collective_choice::all() const {
    std::vector<pick> chosen;
    for (const auto& [what, member] : members()) chosen.push_back(this->*member);
    return chosen;
}

void collective_choice::expand(collective& c, std::uint32_t task, steps& out) const {
    c.levels = &levels;
    c.chunks = chunks;
    of(c.what).expand(c, task, out);
}

std::vector<std::uint32_t> level_sizes(const config::value& levels) {
    std::vector<std::uint32_t> sizes;
    const auto add = [&](const config::value& v) {
        sizes.push_back(static_cast<std::uint32_t>(config::to_integer(v, "levels", 1, 1 << 24)));
    };
    if (levels.type() == config::value::kind::scalar)
        add(levels);
    else if (levels.type() != config::value::kind::null)
        for (const config::value& v : config::to_list(levels, "levels")) add(v);
    return sizes;
}

const config::schema<collective_choice>& collective_fields() {
    static const auto fields = [] {
        config::schema<collective_choice> s;
        for (const auto& [what, member] : members()) {
            std::vector<std::pair<std::string, pick>> names;
            std::string messages;
            for (const auto& a : collective_algorithms()) {
                if (a.what != what) continue;
                names.emplace_back(a.name, &a);
                messages.append(messages.empty() ? "" : "; ").append(a.name).append(": ").append(a.messages);
            }
            s.choice(op_name(what), member, names, messages);
        }
        s.raw(
            "levels", &collective_choice::levels, "list of integers",
            "of hierarchical: tasks of each level, from inside, such as [8, 4]; what they leave of the tasks "
            "is one level more; left out: two levels of about sqrt(n)",
            [](const config::value& v) {
                level_sizes(v);
                return v;
            });
        s.number("chunks", &collective_choice::chunks, 1, 4096, "",
                 "of hierarchical and double_tree: pieces of the data, each a round or level behind the one "
                 "before");
        return s;
    }();
    return fields;
}

}  // namespace sare::traffic
