// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/random_lanes.h"

#include "tlm/memory/access_id.h"
#include "tlm/memory/access_options.h"
#include "tlm/memory/atomic/atomic_access.h"

namespace sare::test {

bool is_exclusive(const transaction& t) {
    if (const auto* burst = t.get_extension<axi::extension>()) return burst->exclusive;
    return t.get_extension<access_options>() != nullptr;
}

bool was_let_through(const transaction& t) {
    if (const auto* burst = t.get_extension<axi::extension>()) return burst->resp == axi::response::exokay;
    return t.get_extension<access_options>()->exclusive_done;
}

transaction& random_lanes::take(transaction_pool& pool, unsigned lane, bool write, std::uint64_t first,
                                std::uint64_t at, unsigned length) {
    transaction& t = pool.take(write, first + at, length);
    t.number = at;
    t.set_auto_extension(new access_timing);
    t.set_auto_extension(new access_id(lane));
    for (auto& byte : t.data) byte = static_cast<unsigned char>(m_random.next());
    return t;
}

/// A write goes where its lane holds a reservation.
bool random_lanes::wants_exclusive(unsigned lane, bool write) {
    return m_random.bernoulli(write ? 0.7 : 0.1) && (!write || m_reserved[lane]);
}

random_lanes::exclusive_bytes random_lanes::draw_exclusive(unsigned lane, bool write) {
    if (write) return *m_reserved[lane];
    exclusive_bytes x{0, m_random.below(4), 1U << m_random.below(5)};
    const unsigned length = x.beats << x.size;
    x.at = lane * slice + length * m_random.below(slice / length);
    m_reserved[lane] = x;
    return x;
}

bool random_lanes::settle(const transaction& t) {
    auto& reserved = m_reserved[t.get_extension<access_id>()->value];
    const bool held = is_exclusive(t) && t.is_response_ok() && was_let_through(t);
    const bool lost = is_exclusive(t) && t.is_write() && t.is_response_ok() && !held;
    if (!held || t.is_write()) reserved.reset();
    return !lost;
}

transaction& random_lanes::draw(transaction_pool& pool, unsigned lane, std::uint64_t first) {
    if (m_random.bernoulli(0.1)) return draw_atomic(pool, lane, first);
    const bool write = m_random.bernoulli(0.5);
    if (wants_exclusive(lane, write)) {
        const exclusive_bytes x = draw_exclusive(lane, write);
        transaction& t = take(pool, lane, write, first, x.at, x.beats << x.size);
        auto* options = new access_options;
        options->exclusive = true;
        options->agent = ~std::uint64_t{lane};  // none of AXI4's
        t.set_auto_extension(options);
        return t;
    }
    const unsigned length = 1 + m_random.below(m_random.bernoulli(0.3) ? slice : 40);
    transaction& t =
        take(pool, lane, write, first, lane * slice + m_random.below(slice - length + 1), length);
    if (m_random.bernoulli(0.2)) t.set_streaming_width(1 + m_random.below(length + 4));
    if (m_random.bernoulli(0.3))
        draw_enables(t, m_random.bernoulli(0.5) ? length : 1 + m_random.below(length));
    return t;
}

void random_lanes::draw_enables(transaction& t, unsigned length) {
    t.enables.resize(length);
    for (auto& on : t.enables) on = m_random.bernoulli(0.7) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    t.set_byte_enable_ptr(t.enables.data());
    t.set_byte_enable_length(length);
}

transaction& random_lanes::draw_burst(transaction_pool& pool, unsigned lane, std::uint64_t first,
                                      bool write) {
    if (write && m_random.bernoulli(0.2)) {
        transaction& t = draw_atomic(pool, lane, first);
        make_burst(t, axi::burst::incr, 0, t.get_data_length(), lane);
        return t;
    }
    if (wants_exclusive(lane, write)) {
        const exclusive_bytes x = draw_exclusive(lane, write);
        transaction& t = take(pool, lane, write, first, x.at, x.beats << x.size);
        make_burst(t, axi::burst::incr, x.size, x.beats, lane).exclusive = true;
        return t;
    }
    constexpr axi::burst types[] = {axi::burst::wrap, axi::burst::fixed, axi::burst::incr, axi::burst::incr};
    const axi::burst type = types[m_random.below(4)];
    const unsigned size = m_random.below(4), bytes = 1U << size;
    unsigned beats = 1 + m_random.below(type == axi::burst::fixed ? 16 : 24);
    if (type == axi::burst::wrap) beats = 2U << m_random.below(4);
    const unsigned room = type == axi::burst::incr ? slice - (beats - 1) * bytes : slice;
    const unsigned at = m_random.below(room), aligned = type == axi::burst::wrap ? at / bytes * bytes : at;
    transaction& t = take(pool, lane, write, first, lane * slice + aligned, 1);
    make_burst(t, type, size, beats, lane);
    for (auto& byte : t.data) byte = static_cast<unsigned char>(m_random.next());
    if (m_random.bernoulli(0.3)) draw_enables(t, t.get_data_length());
    return t;
}

/// In the bytes of a lane, or to the counter of all.
transaction& random_lanes::draw_atomic(transaction_pool& pool, unsigned lane, std::uint64_t first) {
    constexpr atomic_operation operations[] = {atomic_operation::add, atomic_operation::exclusive_or,
                                               atomic_operation::unsigned_max, atomic_operation::swap,
                                               atomic_operation::compare};
    auto* what = new atomic_access;
    what->operation = operations[m_random.below(5)];
    unsigned length = 1U << m_random.below(4);
    std::uint64_t at = lane * slice + length * m_random.below(slice / length);
    const bool counts = m_random.bernoulli(0.3);
    if (counts) {
        what->operation = atomic_operation::add;
        length = 8;
        at = m_counter;
    }
    const unsigned operands = what->operation == atomic_operation::compare ? 2 : 1;
    transaction& t = take(pool, lane, true, first, at, operands * length);
    for (auto& byte : t.data) byte = static_cast<unsigned char>(m_random.below(2));
    if (counts) std::fill(t.data.begin(), t.data.end(), 0), t.data[0] = 1;
    t.set_auto_extension(what);
    return t;
}

}  // namespace sare::test
