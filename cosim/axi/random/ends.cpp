// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/ends.h"

#include "cosim/pins/bits.h"

#include <fmt/format.h>

namespace sare::axi {

std::uint8_t byte_store::get(std::uint64_t at) const {
    const auto found = m_bytes.find(at);
    return found == m_bytes.end() ? static_cast<std::uint8_t>(cosim::mixed(at)) : found->second;
}

// ---- manager ---------------------------------------------------------------------------------------------

random_manager::random_manager(const manager_params& params, std::vector<part> parts,
                               const stimulus_params& how, std::uint64_t seed, std::uint64_t node)
    : m_params(params), m_parts(std::move(parts)), m_how(how), m_random(seed, stream::test, 100 + node) {}

address random_manager::draw() {
    const format& f = m_params.widths;
    address a;
    a.id = m_random.below(std::min(1u << f.id_width, 1 + m_random.below(8)));
    std::uint32_t widest = 0;
    while ((8u << (widest + 1)) <= f.data_width) ++widest;
    a.size = static_cast<std::uint8_t>(m_random.below(3) == 0 ? m_random.below(widest + 1) : widest);
    a.burst = static_cast<burst_kind>(m_random.below(4) == 0 ? 0 : 1 + m_random.below(2));
    std::uint32_t beats =
        1 + m_random.below(m_random.below(3) == 0 ? m_params.max_beats : std::min(4u, m_params.max_beats));
    if (a.burst == burst_kind::fixed) beats = std::min(beats, 16u);
    if (a.burst == burst_kind::wrap) {
        const std::uint32_t most = std::min(16u, m_params.max_beats);
        if (most < 2) a.burst = burst_kind::incr;
        for (beats = most < 2 ? 1 : 2; beats * 2 <= most && m_random.below(2) == 0;) beats *= 2;
    }
    a.len = static_cast<std::uint8_t>(beats - 1);
    const part& p = m_parts[m_random.below(static_cast<std::uint32_t>(m_parts.size()))];
    // Within the part and within 4 KiB, which all parts are multiples of.
    const std::uint64_t bytes = beat_bytes(a), whole = bytes * beats;
    const std::uint64_t page = p.first + m_random.below(static_cast<std::uint32_t>(p.bytes / 4096)) * 4096;
    const std::uint64_t room = 4096 - std::min<std::uint64_t>(whole, 4096);
    if (whole > 4096) a.len = static_cast<std::uint8_t>(4096 / bytes - 1);
    a.addr =
        page +
        m_random.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(room, 255) / bytes + 1)) * bytes;
    if (a.burst != burst_kind::wrap && m_random.below(4) == 0)
        a.addr += m_random.below(static_cast<std::uint32_t>(bytes));
    a.cache = static_cast<std::uint8_t>(m_random.below(16));
    a.prot = static_cast<std::uint8_t>(m_random.below(8));
    a.qos = static_cast<std::uint8_t>(m_random.below(16));
    a.region = static_cast<std::uint8_t>(m_random.below(16));
    a.lock = static_cast<std::uint8_t>(m_random.below(2));
    a.user = cosim::low_bits(m_random.next(), f.user_width);
    return a;
}

bool random_manager::may(const transaction& t) const {
    for (const transaction& o : m_open) {
        if ((!t.write && !o.write) || !range_of(t.what).meets(range_of(o.what))) continue;
        if (!(t.write && o.write && t.what.id == o.what.id)) return false;
    }
    return true;
}

std::vector<wide> random_manager::expected(const address& a) const {
    std::vector<wide> all(a.beats());
    for (std::uint32_t n = 0; n < a.beats(); ++n)
        for_bytes(a, n, m_params.widths.strobes(), [&](std::uint64_t at, std::uint32_t lane) {
            all[n].set(lane * 8, 8, m_memory.get(at));
            all[n].set(m_params.widths.data_width + lane, 1, m_knows_all || m_memory.has(at));
        });
    return all;
}

/// Adds a write's beats to W, and writes them into the manager's copy of the memory.
void random_manager::put_data(const address& a, bool lost) {
    const format& f = m_params.widths;
    for (std::uint32_t n = 0; n < a.beats(); ++n) {
        write_beat beat{{}, n + 1 == a.beats()};
        for (std::uint32_t lsb = 0; lsb < f.data_width; lsb += 32) beat.what.set(lsb, 32, m_random.next());
        for_bytes(a, n, f.strobes(), [&](std::uint64_t at, std::uint32_t lane) {
            if (m_random.below(8) == 0) return;
            beat.what.set(f.data_width + lane, 1, 1);
            if (!lost) m_memory.set(at, static_cast<std::uint8_t>(beat.what.get(lane * 8, 8)));
        });
        m_w.push_back(beat);
    }
}

void random_manager::begin() {
    transaction t{m_random.bernoulli(m_how.writes), draw(), false, {}, 0};
    if (m_random.bernoulli(m_how.nowhere)) {
        // Above all regions.
        t.what.addr = (std::uint64_t{1} << (m_params.widths.addr_width - 1)) | t.what.addr;
        t.lost = m_params.owner(t.what.addr) == nullptr;
        if (!t.lost) return;
    }
    if (!may(t)) return;
    if (t.write) {
        m_aw.push_back(t.what);
        put_data(t.what, t.lost);
    } else {
        m_ar.push_back(t.what);
        t.expect = expected(t.what);
    }
    m_open.push_back(t);
}

const forward_pins& random_manager::drive(bool closing) {
    if (!closing && m_open.size() < m_how.most && m_random.bernoulli(m_how.begin)) begin();
    if (!m_pins.ar_valid && !m_ar.empty() && m_random.bernoulli(m_how.show)) {
        m_pins.ar_valid = true;
        m_pins.ar = m_ar.front();
    }
    if (!m_pins.aw_valid && !m_aw.empty() && m_random.bernoulli(m_how.show)) {
        m_pins.aw_valid = true;
        m_pins.aw = m_aw.front();
    }
    if (!m_pins.w_valid && !m_w.empty() && m_random.bernoulli(m_how.show)) {
        m_pins.w_valid = true;
        m_pins.w = m_w.front().what;
        m_pins.w_last = m_w.front().last;
    }
    m_pins.b_ready = closing || m_random.bernoulli(m_how.take);
    m_pins.r_ready = closing || m_random.bernoulli(m_how.take);
    return m_pins;
}

void random_manager::wrong(const std::string& what, const address& a) {
    if (m_error.empty())
        m_error = fmt::format("{} (ID {}, address {}, {} beats of {} bytes)", what, a.id, cosim::hex(a.addr),
                              a.beats(), beat_bytes(a));
}

void random_manager::answer(const backward_pins& b) {
    for (auto t = m_open.begin(); t != m_open.end(); ++t) {
        if (!t->write || t->what.id != b.b_id) continue;
        if ((b.b_resp == response::decerr) != t->lost) wrong("a write with the wrong response", t->what);
        m_lost += t->lost ? 1 : 0;
        m_open.erase(t);
        ++m_done;
        return;
    }
    wrong("a write response that nothing waits for", {b.b_id});
}

void random_manager::data(const backward_pins& b) {
    const std::uint32_t width = m_params.widths.data_width;
    for (auto t = m_open.begin(); t != m_open.end(); ++t) {
        if (t->write || t->what.id != b.r_id) continue;
        const bool error = b.r.get(width, 2) == static_cast<std::uint64_t>(response::decerr);
        if (error != t->lost) wrong("a read with the wrong response", t->what);
        for_bytes(t->what, t->beats, m_params.widths.strobes(), [&](std::uint64_t, std::uint32_t lane) {
            if (!t->lost && t->expect[t->beats].get(width + lane, 1) != 0 &&
                b.r.get(lane * 8, 8) != t->expect[t->beats].get(lane * 8, 8))
                wrong(fmt::format("beat {} of a read has not what was written", t->beats), t->what);
        });
        if (++t->beats < t->what.beats()) return;
        m_lost += t->lost ? 1 : 0;
        m_open.erase(t);
        ++m_done;
        return;
    }
    wrong("read data that nothing waits for", {b.r_id});
}

void random_manager::clock(const backward_pins& b) {
    if (m_pins.ar_valid && b.ar_ready) {
        m_pins.ar_valid = false;
        m_ar.pop_front();
    }
    if (m_pins.aw_valid && b.aw_ready) {
        m_pins.aw_valid = false;
        m_aw.pop_front();
    }
    if (m_pins.w_valid && b.w_ready) {
        m_pins.w_valid = false;
        m_w.pop_front();
    }
    if (b.b_valid && m_pins.b_ready) answer(b);
    if (b.r_valid && m_pins.r_ready) data(b);
}

// ---- memory ----------------------------------------------------------------------------------------------

random_memory::random_memory(const format& f, const stimulus_params& how, write_order waits,
                             std::uint64_t seed, std::uint64_t node)
    : m_format(f), m_how(how), m_waits(waits), m_random(seed, stream::test, 200 + node) {}

/// Draws one of the requests that are the first of their ID.
std::size_t random_memory::any_first(const std::deque<address>& of) {
    std::size_t at = m_random.below(static_cast<std::uint32_t>(of.size()));
    for (std::size_t k = 0; k < at; ++k)
        if (of[k].id == of[at].id) at = k;
    return at;
}

void random_memory::show_data() {
    if (m_pins.r_valid || m_reads.empty() || !m_random.bernoulli(m_how.show)) return;
    if (!m_reading) {
        const std::size_t at = any_first(m_reads);
        const address next = m_reads[at];
        m_reads.erase(m_reads.begin() + static_cast<std::ptrdiff_t>(at));
        m_reads.push_front(next);
        m_reading = true;
        m_place = 0;
    }
    const address& a = m_reads.front();
    m_pins.r_valid = true;
    m_pins.r_id = a.id;
    m_pins.r_last = m_place + 1 == a.beats();
    m_pins.r = {};
    for_bytes(a, m_place, m_format.strobes(),
              [&](std::uint64_t at, std::uint32_t lane) { m_pins.r.set(lane * 8, 8, m_memory.get(at)); });
    m_pins.r.set(m_format.data_width, 2, a.lock);
}

void random_memory::show_answer() {
    if (m_pins.b_valid || m_answers.empty() || !m_random.bernoulli(m_how.show)) return;
    const std::size_t at = any_first(m_answers);
    m_pins.b_valid = true;
    m_pins.b_id = m_answers[at].id;
    m_pins.b_resp = static_cast<response>(m_answers[at].lock);
    m_answers.erase(m_answers.begin() + static_cast<std::ptrdiff_t>(at));
}

const backward_pins& random_memory::drive() {
    show_data();
    show_answer();
    m_pins.ar_ready = m_reads.size() < 8 && m_random.bernoulli(m_how.take);
    m_pins.aw_ready = m_writes.size() < 4 && m_random.bernoulli(m_how.take);
    m_pins.w_ready = m_w.size() < 600 && m_random.bernoulli(m_how.take);
    if (m_waits == write_order::address_waits)
        m_pins.aw_ready = m_pins.aw_ready && !m_w.empty() && m_whole > m_writes.size();
    if (m_waits == write_order::data_waits) m_pins.w_ready = m_pins.w_ready && m_writes.size() > m_whole;
    return m_pins;
}

/// Does all writes whose data are there.
void random_memory::write() {
    while (!m_writes.empty() && m_whole != 0) {
        const address& a = m_writes.front();
        for (std::uint32_t n = 0; n < a.beats(); ++n) {
            const wide& beat = m_w.front().what;
            for_bytes(a, n, m_format.strobes(), [&](std::uint64_t at, std::uint32_t lane) {
                if (beat.get(m_format.data_width + lane, 1) != 0)
                    m_memory.set(at, static_cast<std::uint8_t>(beat.get(lane * 8, 8)));
            });
            m_w.pop_front();
        }
        --m_whole;
        m_answers.push_back(a);
        m_writes.pop_front();
    }
}

void random_memory::clock(const forward_pins& f) {
    if (m_pins.r_valid && f.r_ready) {
        m_pins.r_valid = false;
        if (++m_place == m_reads.front().beats()) {
            m_reads.pop_front();
            m_reading = false;
        }
    }
    if (m_pins.b_valid && f.b_ready) m_pins.b_valid = false;
    if (f.ar_valid && m_pins.ar_ready) {
        m_reads.push_back(f.ar);
        m_seen.push_back({false, f.ar});
    }
    if (f.aw_valid && m_pins.aw_ready) {
        m_writes.push_back(f.aw);
        m_seen.push_back({true, f.aw});
    }
    if (f.w_valid && m_pins.w_ready) {
        m_w.push_back({f.w, f.w_last});
        m_whole += f.w_last ? 1 : 0;
    }
    write();
}

}  // namespace sare::axi
