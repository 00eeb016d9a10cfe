// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/newcomers.h"

namespace sare::traffic {

void newcomers::open(const socket_address& address, const config::location& at,
                     const reception::warner& warn) {
    m_warn = warn;
    m_listener.emplace(address, at);
    m_address = m_listener->address();
}

void newcomers::watch(std::vector<pollfd>& all) const {
    if (!m_listener) return;
    all.push_back({m_listener->get(), POLLIN, 0});
    for (const newcomer& n : m_all) all.push_back({n.line.get(), POLLIN, 0});
}

void newcomers::attend(const hearer& hear, const std::function<bool()>& enough) {
    accept();
    for (auto n = m_all.begin(); n != m_all.end() && !enough();) {
        bool stays = false;
        try {
            stays = !has_joined(*n, hear);
        } catch (const peer_failure& f) {
            refuse(*n, f.what());
        }
        n = stays ? std::next(n) : m_all.erase(n);
    }
}

void newcomers::accept() {
    if (!m_listener) return;
    while (m_all.size() < most) {
        descriptor fd = m_listener->accept();
        if (!fd.is_open()) return;
        m_all.push_back({byte_stream(std::move(fd), most_unsent)});
    }
}

bool newcomers::has_joined(newcomer& n, const hearer& hear) const {
    const bool open = n.line.read();
    if (hear(n.line)) return true;
    if (!open) throw peer_failure("it hung up before its " + m_wanted + " was complete");
    if (std::chrono::duration<double>(clock::now() - n.since).count() > m_limit_s)
        throw peer_failure("no " + m_wanted + " within " + config::number_text(m_limit_s) + " s");
    return false;
}

void newcomers::refuse(newcomer& n, const std::string& why) {
    m_warn("bridge: a connection at " + m_address.text() + " was refused: " + why);
    try {
        m_refuse(n.line, why);
    } catch (const peer_failure&) {
        // It is not there to hear it.
    }
}

void newcomers::close(const std::string& why) {
    for (newcomer& n : m_all) refuse(n, why);
    m_all.clear();
    m_listener.reset();
}

}  // namespace sare::traffic
