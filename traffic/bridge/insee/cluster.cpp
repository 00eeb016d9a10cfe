// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/insee/cluster.h"

#include "traffic/bridge/insee/region.h"
#include "traffic/bridge/wire.h"

#include <algorithm>

namespace sare::traffic::insee {
namespace {

std::vector<computer> computers_of(const std::vector<host>& hosts) {
    std::vector<computer> all;
    for (const host& h : hosts) all.push_back(h.who);
    return all;
}

/// Returns a record for a host: cycles to wait (u64), length (u16), the frame.
std::string record(std::uint64_t wait, const char* bytes, std::size_t length) {
    std::string out;
    wire::append(out, wait, 8);
    wire::append(out, length, 2);
    return out.append(bytes, length);
}

}  // namespace

cluster::cluster(const parameters& p, std::vector<host> hosts, lock_step step, const bridge_terms& terms,
                 reception::warner warn)
    : peer("insee", computers_of(hosts), terms.access_latency),
      m(p),
      m_hosts(std::move(hosts)),
      m_step(std::move(step)),
      m_terms(terms),
      m_warn(std::move(warn)),
      m_place_of(terms.nodes) {
    for (std::size_t i = 0; i < m_hosts.size(); ++i) m_place_of[m_hosts[i].who.node] = i;
}

void cluster::deliver(const frame& f) {
    if (f.bytes == nullptr) throw peer_failure("a frame without its bytes, which its protocol cannot carry");
    const auto* bytes = reinterpret_cast<const char*>(f.bytes->data());
    m_hosts[m_place_of[f.node]].line.queue(record(wait_until(f.time), bytes, f.bytes->size()));
}

/// Returns the clients' cycles up to a time, from where they stand: never too early.
std::uint64_t cluster::wait_until(picoseconds time) const {
    return (time - granted() + m.cpu_cycle - 1) / m.cpu_cycle;
}

void cluster::watch(std::vector<pollfd>& all) const {
    m_step.watch(all);
    for (const host& h : m_hosts) all.push_back(h.line.watched());
}

/// Attends. A TS is read before the frames: frames that were sent before it are there then.
void cluster::attend(bridge_side& bridge) {
    m_step.attend(m_warn);
    for (std::size_t i = 0; i < m_hosts.size() && !has_left(); ++i) hear(i, bridge);
    if (has_left()) return;
    if (m_to_go) return go_on();
    if (m_step.stopped() && m_went == granted() && done() < granted() && !any_half_read())
        set_done(granted());
}

void cluster::send_grant() {
    m_to_go = true;
    go_on();
}

/// Lets the clients go on when all have stopped, and have what is theirs.
void cluster::go_on() {
    bool all_sent = true;
    for (host& h : m_hosts) {
        h.line.flush();
        all_sent = all_sent && !h.line.has_unsent();
    }
    if (!all_sent || !m_step.stopped()) return;
    m_to_go = false;
    m_step.go((granted() - m_went) / m.cpu_cycle);
    m_went = granted();
}

/// Reads all that is there: a TS that was read says that no more is to come.
void cluster::hear(std::size_t place, bridge_side& bridge) {
    byte_stream& line = m_hosts[place].line;
    for (bool more = true; more && !has_left();) {
        const std::size_t before = line.size();
        const bool open = line.read();
        more = line.size() != before;
        take_records(place, bridge);
        if (!open && !has_left())
            throw peer_failure(m_hosts[place].who.macs[0].text() + " is gone without a word" +
                               (line.size() != 0 ? ", in the midst of a frame" : ""));
    }
}

void cluster::take_records(std::size_t place, bridge_side& bridge) {
    byte_stream& line = m_hosts[place].line;
    while (!has_left() && line.size() >= 2) {
        const auto length = wire::reader(line.begin(), 2).get<std::uint16_t>();
        if (line.size() < 2 + std::size_t{length}) return;
        if (length != 0) take_frame(place, std::string(line.begin() + 2, length), bridge);
        line.take(2 + std::size_t{length});
    }
}

/// Takes a frame, which has no time of its own; it leaves when its slice ends.
void cluster::take_frame(std::size_t place, const std::string& bytes, bridge_side& bridge) {
    if (const auto region = read_region(bytes))
        return take_region(place, bytes, *region == region_word::begins, bridge);
    frame f;
    f.time = granted();
    f.node = f.source = m_hosts[place].who.node;
    f.length = static_cast<std::uint32_t>(bytes.size());
    f.bytes = std::make_shared<const std::vector<std::uint8_t>>(bytes.begin(), bytes.end());
    check_sent(f, place, m_terms);
    bridge.sent(std::move(f));
}

void cluster::take_region(std::size_t place, const std::string& bytes, bool begins, bridge_side& bridge) {
    const std::string answer = region_answer(bytes);
    m_hosts[place].line.write(record(0, answer.data(), answer.size()));
    if (begins) return bridge.region_begins(granted());
    bridge.region_ends(granted());
    if (!m.region_ends_run) return;
    leave("the region of interest has ended");
    dismiss(farewell());
}

bool cluster::any_half_read() const {
    return std::any_of(m_hosts.begin(), m_hosts.end(), [](const host& h) { return h.line.size() != 0; });
}

/// Dismisses the clients, without a word, for there is none: they see their connections close.
void cluster::dismiss(const std::string&) {
    for (host& h : m_hosts) h.line.hang_up();
}

}  // namespace sare::traffic::insee
