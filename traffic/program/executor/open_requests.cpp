// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/open_requests.h"

namespace sare::traffic {

std::uint32_t open_requests::open(const owner& of, kind what, std::uint32_t peer, std::int64_t tag) {
    const std::uint32_t r = m_requests.take();
    request& x = m_requests[r];
    x = request{};
    x.serial = m_serial++;
    x.task = of.task;
    x.strand = of.strand;
    x.name = of.name;
    x.own = of.own;
    x.what = what;
    x.begun = what != kind::strand;
    x.peer = peer;
    x.tag = tag;
    if (of.name != 0) m_names.push(name_key(of.task, of.name), r);
    if (of.strand == none) return r;
    account& its = m_accounts[of.strand];
    ++(of.own ? its.own : its.others).under_way;
    return r;
}

std::uint32_t open_requests::open_one_sided(const owner& of, std::uint32_t peer, std::uint32_t communicator) {
    const std::uint32_t r = open(of, kind::one_sided, peer);
    m_one_sided.emplace(one_sided_key(of.task, r), communicator);
    return r;
}

std::uint32_t open_requests::find(std::uint32_t task, std::uint64_t name) const {
    const auto* const found = name == 0 ? nullptr : m_names.front(name_key(task, name));
    return found == nullptr ? none : found->value;
}

std::uint32_t open_requests::end(std::uint32_t r) {
    request& x = m_requests[r];
    x.done = true;
    if (x.what == kind::one_sided) m_one_sided.erase(one_sided_key(x.task, r));
    const std::uint32_t s = x.strand;
    if (s == none) {
        forget(r);
        return none;
    }
    account::count& count = x.own ? m_accounts[s].own : m_accounts[s].others;
    --count.under_way;
    const bool receive = x.what == kind::receive;
    if (x.name == 0) count.received += receive ? 1 : 0;
    if (x.name != 0 && receive && m_keep_receives)
        keep(r);
    else
        forget(r);
    return s;
}

/// Keeps a receive with a name until it is waited for, which costs its overhead.
void open_requests::keep(std::uint32_t r) {
    account& of = m_accounts[m_requests[r].strand];
    m_requests[r].after = of.kept;
    if (of.kept != none) m_requests[of.kept].before = r;
    of.kept = r;
}

void open_requests::forget(std::uint32_t r) {
    request& x = m_requests[r];
    const std::uint32_t s = x.strand;
    x.strand = none;
    m_requests.give_back(r);
    if (x.name == 0) return;
    m_names.pop(name_key(x.task, x.name));
    if (x.after != none) m_requests[x.after].before = x.before;
    if (x.before != none)
        m_requests[x.before].after = x.after;
    else if (s != none && m_accounts[s].kept == r)
        m_accounts[s].kept = x.after;
}

bool open_requests::add_dependent(std::uint32_t r, std::uint32_t strand, bool begun) {
    if (r == none || m_requests[r].done || (begun && m_requests[r].begun)) return false;
    const std::uint32_t d = m_dependents.take();
    m_dependents[d] = {strand, m_requests[r].dependents, begun};
    m_requests[r].dependents = d;
    return true;
}

std::uint32_t open_requests::collect(std::uint32_t s, wait_for what, std::uint32_t task, std::uint64_t name) {
    if (what == wait_for::one) {
        const std::uint32_t r = find(task, name);
        if (r == none) return 0;
        const bool receive = m_requests[r].what == kind::receive;
        forget(r);
        return receive ? 1 : 0;
    }
    account& of = m_accounts[s];
    std::uint32_t received = of.own.received;
    of.own.received = 0;
    if (what == wait_for::own) return received;
    received += of.others.received;
    of.others.received = 0;
    for (; of.kept != none; ++received) forget(of.kept);
    return received;
}

std::uint32_t open_requests::first_open(std::uint32_t s, bool own) const {
    std::uint32_t first = none;
    for (std::uint32_t r = 0; r < m_requests.slots(); ++r) {
        const request& x = m_requests[r];
        if (x.strand != s || x.done || (own && !x.own)) continue;
        if (first == none || x.serial < m_requests[first].serial) first = r;
    }
    return first;
}

}  // namespace sare::traffic
