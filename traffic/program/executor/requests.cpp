// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/executor.h"

#include <algorithm>

/// What is under way, and what waits for it.
namespace sare::traffic {

/// A request of strand `s` (none: of no strand, it is deleted when it completes) with a name, or without (0).
std::uint32_t executor::open(std::uint32_t s, std::uint32_t index, std::uint64_t name, bool own) {
    const std::uint32_t r = m_requests.take();
    request& x = m_requests[r];
    x = request{};
    x.serial = m_serial++;
    x.task = index;
    x.strand = s;
    x.name = name;
    x.own = own;
    if (name != 0) m_names.push(name_key(index, name), r);
    if (s == none) return r;
    strand& of = m_strands[s];
    ++(own ? of.own : of.others).under_way;
    return r;
}

/// A request has ended; its strand goes on if that was what it waited for.
void executor::ended(std::uint32_t r) {
    if (m_requests[r].dependents != none) release(r);
    request& x = m_requests[r];
    x.done = true;
    if (x.one_sided) m_one_sided.erase(one_sided_key(x.task, r));
    const std::uint32_t s = x.strand;
    if (s == none) return forget(r);
    strand& of = m_strands[s];
    strand::count& count = x.own ? of.own : of.others;
    --count.under_way;
    if (x.name == 0) count.received += x.receive ? 1 : 0;
    if (x.name != 0 && x.receive && m_receive_overhead != 0)
        keep(r);
    else
        forget(r);
    if (of.is == state::waits && of.now.until != wait_for::one && ready(s)) resume(s);
}

/// A receive with a name stays until it is waited for, which costs its overhead.
void executor::keep(std::uint32_t r) {
    strand& of = m_strands[m_requests[r].strand];
    m_requests[r].after = of.kept;
    if (of.kept != none) m_requests[of.kept].before = r;
    of.kept = r;
}

void executor::forget(std::uint32_t r) {
    request& x = m_requests[r];
    x.open = false;
    m_requests.give_back(r);
    if (x.name == 0) return;
    m_names.pop(name_key(x.task, x.name));
    if (x.after != none) m_requests[x.after].before = x.before;
    if (x.before != none)
        m_requests[x.before].after = x.after;
    else if (x.strand != none && m_strands[x.strand].kept == r)
        m_strands[x.strand].kept = x.after;
}

std::uint32_t executor::find(std::uint32_t index, std::uint64_t name) const {
    const auto* const found = name == 0 ? nullptr : m_names.front(name_key(index, name));
    return found == nullptr ? none : found->value;
}

/// Makes strand `s` depend on request `r`: it waits until `r` has ended, or has begun.
void executor::add_dependency(std::uint32_t s, std::uint32_t r, bool begun) {
    if (r == none || m_requests[r].done || (begun && m_requests[r].begun)) return;
    const std::uint32_t d = m_dependents.take();
    m_dependents[d] = {s, m_requests[r].dependents, begun};
    m_requests[r].dependents = d;
    ++m_strands[s].missing;
}

/// A request has ended: what waits for it goes on, and what waits for those to begin, in the order of their
/// operations whichever way they were held up.
void executor::release(std::uint32_t r) {
    const std::size_t first = m_ready.size();
    resume_dependents(r, true);
    for (std::size_t i = first; i < m_ready.size(); ++i) begin(m_ready[i]);
    std::sort(m_ready.begin() + static_cast<std::ptrdiff_t>(first), m_ready.end(),
              [this](auto a, auto b) { return m_strands[a].number < m_strands[b].number; });
}

/// Nothing holds a strand up any more.
void executor::begin(std::uint32_t s) {
    const std::uint32_t r = m_strands[s].request;
    if (r == none) return;
    m_requests[r].begun = true;
    resume_dependents(r, false);
}

/// All that waits for a request to end or, before it has ended, what waits for it to begin.
void executor::resume_dependents(std::uint32_t r, bool ended) {
    std::uint32_t rest = m_requests[r].dependents, kept = none;
    m_requests[r].dependents = none;
    while (rest != none) {
        const std::uint32_t d = rest;
        rest = m_dependents[d].next;
        if (!ended && !m_dependents[d].begun) {
            m_dependents[d].next = kept;
            kept = d;
            continue;
        }
        const std::uint32_t s = m_dependents[d].strand;
        m_dependents.give_back(d);
        if (--m_strands[s].missing == 0) resume(s);
    }
    m_requests[r].dependents = kept;
}

/// Whether all that a stage waits for is done.
bool executor::ready(std::uint32_t s) {
    const strand& me = m_strands[s];
    switch (me.now.until) {
        case wait_for::own:
            return me.own.under_way == 0;
        case wait_for::one:
            add_dependency(s, find(me.task, me.now.request), false);
            return me.missing == 0;
        case wait_for::all:
            return me.own.under_way + me.others.under_way == 0;
        case wait_for::nothing:
            break;
    }
    return me.missing == 0;  // in a flush
}

/// Receives that a wait has waited for: they are done with.
std::uint32_t executor::collect(std::uint32_t s) {
    strand& me = m_strands[s];
    if (me.now.until == wait_for::one) {
        const std::uint32_t r = find(me.task, me.now.request);
        if (r == none) return 0;
        const bool receive = m_requests[r].receive;
        forget(r);
        return receive ? 1 : 0;
    }
    std::uint32_t received = me.own.received;
    me.own.received = 0;
    if (me.now.until == wait_for::own) return received;
    received += me.others.received;
    me.others.received = 0;
    for (; me.kept != none; ++received) forget(me.kept);
    return received;
}

}  // namespace sare::traffic
