// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/cache.h"

#include "tlm/chi/atomics.h"
#include "tlm/memory/access.h"
#include "tlm/systemc/reports.h"

#include <algorithm>

namespace sare::chi {
namespace {

flit request(req op, std::uint64_t address) {
    flit f = flit::make(op, 0, 0);
    f.address = address;
    return f;
}

}  // namespace

cache::cache(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
             const cache_params& params)
    : agent(name, bus_bytes), cpu("cpu"), m_map(map), m_params(params) {
    with_config_reports(this->name(), [&] {
        if (params.lines == 0 || params.outstanding == 0 || params.outstanding > 4096)
            throw config::error("a cache has 1 line at least, and 1 to 4096 transactions");
        if (params.qos > 15) throw config::error("a cache's QoS is 0 to 15");
        if (map.homes.empty()) throw config::error("a cache needs a home");
    });
    cpu.register_b_transport(this, &cache::b_transport);
    cpu.register_transport_dbg(this, &cache::transport_dbg);
    cpu.register_get_direct_mem_ptr(this, &cache::get_direct_mem_ptr);
}

void cache::dump(std::ostream& out) const {
    agent::dump(out);
    out << "lines = " << m_lines.size() << " of " << m_params.lines << '\n'
        << "transactions = " << m_transactions.size() << " of " << m_params.outstanding << '\n'
        << "hits = " << m_counts.hits << ", misses = " << m_counts.misses << ", snoops = " << m_counts.snoops
        << ", retries = " << m_counts.retries << ", write-backs = " << m_counts.write_backs
        << ", atomics = " << m_counts.atomics << '\n';
}

// ---- the processor's side --------------------------------------------------------------------------------

void cache::b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    const sc_core::sc_time made = sc_core::sc_time_stamp() + delay;
    const access_side::under_way here(*m_accesses);
    access_times times;
    times.begin(made);
    tlm::tlm_response_status status = check_attributes(p);
    const atomic_access* atomic = atomic_of(p);
    if (atomic != nullptr && status == tlm::TLM_OK_RESPONSE && !wrong_with(*atomic, p).empty())
        status = tlm::TLM_BURST_ERROR_RESPONSE;
    if (status == tlm::TLM_OK_RESPONSE && p.get_command() != tlm::TLM_IGNORE_COMMAND) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        status = access(p, times);
    }
    const auto found = m_lines.find(line_of(p.get_address()));
    p.set_dmi_allowed(found != m_lines.end() && found->second.is != state::i);
    p.set_response_status(status);
    times.made = made;
    times.end(sc_core::sc_time_stamp() + delay);
    tell_times(p, times);
    m_accesses->statistics.count(p, times);
}

/// Does an access piece by piece. Its times are those of the last piece that missed.
tlm::tlm_response_status cache::access(tlm::tlm_generic_payload& p, access_times& times) {
    piece one;
    one.write = p.is_write();
    one.times = &times;
    one.atomic = p.get_extension<atomic_access>();
    const std::uint32_t length = one.atomic != nullptr ? value_bytes(*one.atomic, p) : p.get_data_length();
    const std::uint32_t width = std::min(p.get_streaming_width(), length);
    const auto enabled = [&p](std::uint32_t k) {
        return p.get_byte_enable_ptr() == nullptr ||
               p.get_byte_enable_ptr()[k % p.get_byte_enable_length()] != TLM_BYTE_DISABLED;
    };
    bool error = false;
    for (std::uint32_t at = 0; at < length;) {
        if (!enabled(at)) {
            ++at;
            continue;
        }
        one.address = p.get_address() + at % width;
        const auto in_line = static_cast<std::uint32_t>(line_of(one.address) + line_bytes - one.address);
        const std::uint32_t most = std::min({in_line, width - at % width, length - at});
        one.bytes = p.get_data_ptr() + at;
        one.length = 1;
        one.done = one.error = false;
        while (one.length < most && enabled(at + one.length)) ++one.length;
        access(one);
        error = error || one.error;
        at += one.length;
    }
    return error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

/// Gives DMI to a line that is here and stays as it is; for writes to one that may be written, which becomes
/// dirty.
bool cache::get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = line_of(p.get_address());
    dmi.init();
    dmi.set_start_address(address);
    dmi.set_end_address(address + line_bytes - 1);
    const auto found = m_lines.find(address);
    if (found == m_lines.end() || m_busy.count(address) != 0) return false;
    line& l = found->second;
    if (l.is < (p.is_write() ? state::uc : state::sc)) return false;
    if (p.is_write() && l.is != state::ud) set_state(address, state::ud);
    if (l.is == state::ud) {
        l.direct = direct_access::write;
        dmi.allow_read_write();
    } else {
        l.direct = direct_access::read;
        dmi.allow_read();
    }
    dmi.set_dmi_ptr(l.data.data());
    return true;
}

/// Notes what was stored by DMI, which is known only now; nobody else can have loaded it.
void cache::note_direct_stores(std::uint64_t address, const line& l) {
    if (l.direct == direct_access::write && m_observer != nullptr)
        m_observer->stored(m_node, address, l.data.data(), line_bytes);
}

void cache::withdraw_direct(std::uint64_t address, line& l) {
    if (l.direct == direct_access::none) return;
    cpu->invalidate_direct_mem_ptr(address, address + line_bytes - 1);
    note_direct_stores(address, l);
    l.direct = direct_access::none;
}

/// Uses its own line, or the line of whoever has it, up to the first line that is under way.
unsigned cache::transport_dbg(tlm::tlm_generic_payload& p) {
    unsigned done = 0;
    while (done < p.get_data_length() && p.get_data_ptr() != nullptr) {
        debug_access a;
        a.write = p.is_write();
        a.address = p.get_address() + done;
        if (a.address < p.get_address()) break;  // beyond the last one
        a.bytes = p.get_data_ptr() + done;
        a.length = std::min(static_cast<std::uint32_t>(line_of(a.address) + line_bytes - a.address),
                            p.get_data_length() - done);
        const bool own = !a.write && debug(a);
        if (!own && !socket->debug(m_map.home_of(a.address), a)) break;
        if (a.write && m_observer != nullptr) m_observer->replaced(a.address, a.bytes, a.length);
        done += a.length;
    }
    return done;
}

bool cache::debug(const debug_access& a) {
    const auto found = m_lines.find(line_of(a.address));
    if (found == m_lines.end() || found->second.is == state::i) return false;
    if (a.length > line_bytes - a.address % line_bytes) return false;
    unsigned char* here = found->second.data.data() + a.address % line_bytes;
    std::copy_n(a.write ? a.bytes : here, a.length, a.write ? here : a.bytes);
    return true;
}

void cache::access(piece& p) {
    if (try_hit(p)) {
        ++m_counts.hits;
        return;
    }
    struct forgotten {  // should the process be killed while it waits
        cache& by;
        const piece& what;
        ~forgotten() { by.forget(what); }
    } at_the_end{*this, p};
    do {
        const std::uint64_t address = line_of(p.address);
        const bool here = m_lines.count(address) != 0;
        if (m_busy.count(address) == 0 && m_transactions.size() < m_params.outstanding) {
            if (p.atomic != nullptr) {
                begin_atomic(p);
            } else if (here || m_lines.size() < m_params.lines) {
                m_lines[address];  // its place
                miss(p);
            } else {
                make_room();
            }
        }
        sc_core::wait(m_changed);
    } while (!p.done && !try_hit(p));
    ++m_counts.misses;
}

/// Lets the transaction of a piece go on without it.
void cache::forget(const piece& p) {
    for (auto& [txn, t] : m_transactions) {
        if (t.what != &p) continue;
        t.what = nullptr;
        if (!t.request.is(req::make_unique) && !is_atomic(t.request)) return;
        const std::uint32_t operands = t.request.is(req::atomic_compare) ? 2 : 1;
        std::copy_n(p.bytes, operands * p.length, t.kept_bytes.begin());
        t.kept = p;
        t.kept.atomic = nullptr;
        t.kept.times = nullptr;
        t.kept.bytes = t.kept_bytes.data();
        t.what = &t.kept;
    }
}

bool cache::try_hit(piece& p) {
    const auto found = m_lines.find(line_of(p.address));
    if (found == m_lines.end() || m_busy.count(found->first) != 0) return false;
    if (found->second.is < (p.write ? state::uc : state::sc)) return false;
    perform(p, found->second);
    return true;
}

void cache::perform(piece& p, line& l) {
    unsigned char* here = l.data.data() + p.address % line_bytes;
    note_direct_stores(line_of(p.address), l);
    if (p.atomic != nullptr) {
        ++m_counts.atomics;
        std::copy_n(here, p.length, p.atomic->before.begin());
        if (m_observer != nullptr) m_observer->loaded(m_node, p.address, here, p.length);
        p.atomic->apply(here, p.bytes, p.length);
        if (l.is != state::ud) set_state(line_of(p.address), state::ud);
    } else if (p.write) {
        std::copy_n(p.bytes, p.length, here);
        if (l.is != state::ud) set_state(line_of(p.address), state::ud);
    } else {
        std::copy_n(here, p.length, p.bytes);
    }
    l.used = ++m_clock;
    p.done = true;
    if (m_observer == nullptr) return;
    if (p.write)
        m_observer->stored(m_node, p.address, here, p.length);
    else
        m_observer->loaded(m_node, p.address, here, p.length);
}

void cache::miss(piece& p) {
    const std::uint64_t address = line_of(p.address);
    const state now = m_lines[address].is;
    req op = req::read_shared;
    if (p.write) op = now == state::sc ? req::clean_unique : req::read_unique;
    if (p.write && p.length == line_bytes) op = req::make_unique;
    flit f = request(op, address);
    f.exp_comp_ack = true;
    begin(f, &p);
}

/// Makes the least recently used line leave that may, a dirty one with its data.
void cache::make_room() {
    auto victim = m_lines.end();
    for (auto at = m_lines.begin(); at != m_lines.end(); ++at)
        if (m_busy.count(at->first) == 0 &&
            (victim == m_lines.end() || at->second.used < victim->second.used))
            victim = at;
    if (victim == m_lines.end()) return;  // one that is busy will change
    const std::uint64_t address = victim->first;
    withdraw_direct(address, victim->second);
    if (victim->second.is == state::ud) {
        ++m_counts.write_backs;
        return begin(request(req::write_back_full, address), nullptr);
    }
    const bool held = victim->second.is != state::i;
    if (held) set_state(address, state::i);
    m_lines.erase(victim);
    if (held) return begin(request(req::evict, address), nullptr);
    m_changed.notify(sc_core::SC_ZERO_TIME);
}

void cache::begin(const flit& f, piece* what) {
    std::uint16_t txn = 0;
    while (m_transactions.count(txn) != 0) ++txn;
    transaction& t = m_transactions[txn];
    t.request = f;
    t.request.target = m_map.home_of(f.address);
    t.request.txn = txn;
    t.request.qos = static_cast<std::uint8_t>(m_params.qos);
    t.what = what;
    if (what != nullptr && what->times != nullptr) {
        t.times.begin(sc_core::sc_time_stamp());
        t.request.times = &t.times;
    }
    m_busy[line_of(f.address)] = txn;
    send(t.request);
}

/// Sends an atomic to the home, since the line is not here, or others may have it, too.
void cache::begin_atomic(piece& p) {
    const auto found = m_lines.find(line_of(p.address));
    flit f = request(opcode_of(*p.atomic), p.address);
    f.size = size_of(*p.atomic, p.length);
    f.big_endian = p.atomic->big_endian;
    f.snoop_me = found != m_lines.end() && found->second.is != state::i;
    begin(f, &p);
}

/// Sends the operand. A compare has its second value in the other half of the bytes around both, as in CHI.
void cache::send_operand(const transaction& t, const flit& where) {
    const std::uint64_t at = t.request.address % line_bytes;
    const std::uint32_t bytes = value_bytes(t.request);
    std::array<unsigned char, line_bytes> all{};
    flit data = flit::make(dat::non_copy_back_wr_data, where.source, where.db, where.qos);
    data.address = t.request.address;
    const auto put = [&](std::uint64_t place, const unsigned char* from) {
        std::copy_n(from, bytes, all.begin() + place);
        data.enables |= ((std::uint64_t{1} << bytes) - 1) << place;
    };
    put(at, t.what->bytes);
    if (t.request.is(req::atomic_compare)) put(swapped_place(at, bytes), t.what->bytes + bytes);
    send_line(data, all);
}

void cache::complete_atomic(const flit& f) {
    transaction& t = m_transactions.at(f.txn);
    piece& what = *t.what;
    ++m_counts.atomics;
    if (what.atomic != nullptr && f.on == channel::dat)
        std::copy_n(t.data.data().begin() + what.address % line_bytes, what.length,
                    what.atomic->before.begin());
    what.error = f.error;
    what.done = true;
    end(f.txn);
}

void cache::set_state(std::uint64_t address, state s) {
    m_lines[address].is = s;
    if (m_observer != nullptr) m_observer->changed(m_node, address, s);
}

// ---- the network's side ----------------------------------------------------------------------------------

void cache::received(const flit& f) {
    if (f.on == channel::snp) return snooped(f);
    if (f.is(rsp::pcrd_grant)) return m_retries.granted(f.source, [&](const flit& again) { send(again); });
    const auto found = m_transactions.find(f.txn);
    if (found == m_transactions.end())
        return report_error(report_id::protocol, std::string(name()) + ": a response to no transaction");
    if (f.is(dat::comp_data)) {
        if (found->second.data.add(f, bus_bytes()))
            is_atomic(found->second.request) ? complete_atomic(f)
                                             : complete(f.txn, f,
                                                        f.resp == resp_sc   ? state::sc
                                                        : f.resp == resp_uc ? state::uc
                                                                            : state::ud);
    } else if (f.is(rsp::retry_ack)) {
        ++m_counts.retries;
        m_retries.refused(found->second.request, [&](const flit& again) { send(again); });
    } else if (f.is(rsp::comp)) {
        if (found->second.request.is(req::evict)) return end(f.txn);
        if (is_atomic(found->second.request)) return complete_atomic(f);
        complete(f.txn, f, state::uc);
    } else if (f.is(rsp::dbid_resp) && is_atomic(found->second.request)) {
        send_operand(found->second, f);
    } else if (f.is(rsp::comp_dbid_resp)) {
        const std::uint64_t address = found->second.request.address;
        const line& l = m_lines[address];
        flit data = flit::make(dat::copy_back_wr_data, f.source, f.db, f.qos);
        data.address = address;
        data.resp = l.is == state::ud ? resp_uc | resp_pass_dirty : l.is == state::i ? resp_i : resp_sc;
        data.enables = ~std::uint64_t{0};
        send_line(data, l.data);
        if (l.is != state::i) set_state(address, state::i);
        m_lines.erase(address);
        end(f.txn);
    } else {
        report_error(report_id::protocol, std::string(name()) + ": a flit that a requester does not take");
    }
}

/// Completes a transaction and what was asked for, unless another node has taken the line of a CleanUnique:
/// then the line is asked for again.
void cache::complete(std::uint16_t txn, const flit& f, state granted) {
    transaction& t = m_transactions.at(txn);
    const std::uint64_t address = t.request.address;
    line& l = m_lines[address];
    const bool has_data = f.on == channel::dat || t.request.is(req::make_unique) || l.is != state::i;
    if (f.on == channel::dat) l.data = t.data.data();
    piece* what = t.what;
    if (has_data && !f.error) {
        set_state(address, granted);
        if (what != nullptr) perform(*what, l);
    }
    if (f.error && what != nullptr) what->done = what->error = true;
    flit ack = flit::make(rsp::comp_ack, f.on == channel::dat ? f.home : f.source, f.db, f.qos);
    send(ack);
    end(txn);
}

void cache::end(std::uint16_t txn) {
    const transaction& t = m_transactions.at(txn);
    if (t.what != nullptr && t.what->times != nullptr) *t.what->times = t.times;
    m_busy.erase(line_of(t.request.address));
    m_transactions.erase(txn);
    m_changed.notify(sc_core::SC_ZERO_TIME);
}

void cache::snooped(const flit& f) {
    ++m_counts.snoops;
    const std::uint64_t address = line_of(f.address);
    const auto found = m_lines.find(address);
    const state was = found == m_lines.end() ? state::i : found->second.is;
    const bool share = f.is(snp::snp_shared);
    const bool dirty = was == state::ud && !f.is(snp::snp_make_invalid);
    const state now = share && was != state::i ? state::sc : state::i;
    if (now != was) withdraw_direct(address, found->second);
    flit answer = flit::answer(rsp::snp_resp, f);
    if (dirty) answer = flit::answer(dat::snp_resp_data, f);
    answer.address = address;
    answer.resp =
        static_cast<std::uint8_t>((now == state::sc ? resp_sc : resp_i) | (dirty ? resp_pass_dirty : 0));
    answer.enables = ~std::uint64_t{0};
    if (dirty)
        send_line(answer, found->second.data);
    else
        send(answer);
    if (now != was) set_state(address, now);
}

}  // namespace sare::chi
