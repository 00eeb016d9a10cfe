// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/insee/lock_step.h"

#include "traffic/bridge/wire.h"

#include <fmt/format.h>

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace sare::traffic::insee {
namespace {

// CONNECT:hhhh:mmmmmm and CONNECT:hhhhhhhh:mmmmmm, as a client's `long` has 4 or 8 bytes; TS:mmmmmm:tttttttt
const std::string connect_word = "CONNECT:", time_word = "TS:", ok_word = "OK:", continue_word = "CONTINUE:";
constexpr std::size_t mac_bytes = 6;

bool begins_with(const std::string& bytes, const std::string& word) {
    return bytes.compare(0, word.size(), word) == 0;
}

mac_address mac_at(const std::string& bytes, std::size_t at) {
    mac_address m;
    for (std::size_t i = 0; i < mac_bytes; ++i) m.bytes[i] = static_cast<std::uint8_t>(bytes[at + i]);
    return m;
}

std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
    wire::reader in(bytes.data() + at, size);
    return size == 4 ? in.get<std::uint32_t>() : in.get<std::uint64_t>();
}

std::string number(std::uint64_t n, std::size_t size) {
    std::string bytes;
    wire::append(bytes, n, size);
    return bytes;
}

}  // namespace

lock_step::lock_step(datagrams d, std::uint32_t hosts, double resend_s)
    : m_datagrams(std::move(d)),
      m_hosts(hosts),
      m_resend_s(resend_s),
      m_timer(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {}

void lock_step::watch(std::vector<pollfd>& all) const {
    all.push_back({m_datagrams.get(), POLLIN, 0});
    all.push_back({m_timer.get(), POLLIN, 0});
}

void lock_step::attend(const reception::warner& warn) {
    while (const auto d = m_datagrams.receive()) take(*d, warn);
    std::uint64_t times = 0;
    if (m_has_run && read(m_timer.get(), &times, sizeof times) == sizeof times) send_go_on();
}

void lock_step::take(const datagrams::datagram& d, const reception::warner& warn) {
    if (begins_with(d.bytes, ok_word) || begins_with(d.bytes, continue_word))
        return;  // our own, by the group
    if (begins_with(d.bytes, connect_word)) return take_connect(d, warn);
    if (begins_with(d.bytes, time_word)) return take_time(d, warn);
    warn(fmt::format("bridge: a datagram of {} bytes at {} is neither CONNECT nor TS", d.bytes.size(),
                     address().text()));
}

void lock_step::take_connect(const datagrams::datagram& d, const reception::warner& warn) {
    const auto refuse = [&](const std::string& why) {
        warn("bridge: a CONNECT at " + address().text() + " was refused: " + why);
    };
    const std::size_t rest = connect_word.size() + 1 + mac_bytes;
    const std::size_t size = d.bytes.size() > rest ? d.bytes.size() - rest : 0;
    if ((size != 4 && size != 8) || d.bytes[connect_word.size() + size] != ':')
        return refuse(
            fmt::format("it has {} bytes; it is CONNECT:, a long of 4 or 8, ':' and a MAC", d.bytes.size()));
    const mac_address mac = mac_at(d.bytes, connect_word.size() + size + 1);
    const std::uint64_t hosts = number_at(d.bytes, connect_word.size(), size);
    if (client* known = find(mac)) {
        known->at = d.from;  // its OK was lost
    } else {
        if (m_long != 0 && m_long != size)
            return refuse(fmt::format("its long has {} bytes, that of the first client {}", size, m_long));
        if (hosts == 0 || hosts > m_hosts - m_announced)
            return refuse(fmt::format("{} has {} hosts; {} of {} are missing", mac.text(), hosts,
                                      m_hosts - m_announced, m_hosts));
        m_long = size;
        m_announced += static_cast<std::uint32_t>(hosts);
        m_clients.push_back({mac, d.from, false});
    }
    m_datagrams.send(ok_word + d.bytes.substr(connect_word.size() + size + 1), d.from);
}

void lock_step::take_time(const datagrams::datagram& d, const reception::warner& warn) {
    const std::size_t at = time_word.size() + mac_bytes + 1;
    client* c = d.bytes.size() >= at ? find(mac_at(d.bytes, time_word.size())) : nullptr;
    if (c == nullptr)
        return warn("bridge: a TS at " + address().text() + " of no client that has said CONNECT");
    if (d.bytes.size() != at + 8 || d.bytes[at - 1] != ':')
        throw peer_failure(fmt::format("a TS of {} with {} bytes; it is TS:, a MAC, ':' and a time of 8",
                                       c->mac.text(), d.bytes.size()));
    const std::uint64_t time = number_at(d.bytes, at, 8);
    if (!m_has_time) {
        m_has_time = true;
        m_next = time;
    }
    if (time == m_next) {
        c->stopped = true;
    } else if (m_has_run && time == m_last) {
        m_datagrams.send(go_on(), c->at);  // its CONTINUE was lost
    } else {
        throw peer_failure(fmt::format("a TS of {} at cycle {} of the clients; all have to stop at {}",
                                       c->mac.text(), time, m_next));
    }
    if (stopped()) set_timer(0);
}

lock_step::client* lock_step::find(const mac_address& mac) {
    const auto found =
        std::find_if(m_clients.begin(), m_clients.end(), [&](const client& c) { return c.mac == mac; });
    return found == m_clients.end() ? nullptr : &*found;
}

bool lock_step::stopped() const {
    return m_announced == m_hosts &&
           std::all_of(m_clients.begin(), m_clients.end(), [](const client& c) { return c.stopped; });
}

std::string lock_step::missing() const {
    std::string all;
    for (const client& c : m_clients)
        if (!c.stopped) all += (all.empty() ? "; no TS of " : ", ") + c.mac.text();
    return all;
}

void lock_step::go(std::uint64_t cycles) {
    m_last = m_next;
    m_cycles = cycles;
    m_next += cycles;
    m_has_run = true;
    for (client& c : m_clients) c.stopped = false;
    send_go_on();
    set_timer(m_resend_s);
}

std::string lock_step::go_on() const {
    return continue_word + number(m_last, 8) + number(m_cycles, m_long);
}

void lock_step::send_go_on() {
    if (m_datagrams.has_group()) return m_datagrams.send(go_on(), {});
    for (const client& c : m_clients)
        if (!c.stopped) m_datagrams.send(go_on(), c.at);
}

void lock_step::set_timer(double seconds) {
    itimerspec t{};
    t.it_value.tv_sec = static_cast<time_t>(seconds);
    t.it_value.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
    t.it_interval = t.it_value;
    timerfd_settime(m_timer.get(), 0, &t, nullptr);
}

}  // namespace sare::traffic::insee
