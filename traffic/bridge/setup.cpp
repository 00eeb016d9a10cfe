// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "tlm/base/temporary_folder.h"
#include "traffic/bridge/bridge.h"
#include "traffic/bridge/frames/capture.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

/// The setup until the run begins: what the bridge is told, what it starts, and how its peers come in.
namespace sare::traffic {
namespace {

/// Returns the sections of one section, or of a list of them.
std::vector<config::value> sections_of(const config::value& peers) {
    if (peers.type() == config::value::kind::list) return peers.items();
    return {peers.type() == config::value::kind::null ? config::value::scalar("sare") : peers};
}

config::value resolve_peers(const config::value& peers) {
    std::vector<config::value> all;
    for (const config::value& section : sections_of(peers))
        all.push_back(bridge_protocol_registry::instance().resolve(section));
    return config::value::list(std::move(all));
}

std::string make_private_folder() {
    std::string name = (temporary_folder() / "sare-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw std::runtime_error("no folder for the bridge's sockets can be made in " +
                                 temporary_folder().string());
    return name;
}

const config::registration<workload, const workload_context&> registered{
    "bridge", "Whole simulated computers at the nodes: their Ethernet frames cross the network.",
    bridge_fields(), config::made<bridge>};

}  // namespace

const config::schema<bridge_parameters>& bridge_fields() {
    using p = bridge_parameters;
    static const auto fields =
        config::schema<p>()
            .raw("peers", &p::peers, "bridge protocol",
                 "what computers come in by, or a list of such: [{protocol: sare, sessions: 2}]",
                 resolve_peers)
            .choice("mode", &p::mode,
                    {{"lookahead", synchronisation::lookahead},
                     {"slices", synchronisation::slices},
                     {"parallel", synchronisation::parallel}},
                    "lookahead: frames arrive at their time if quantum <= access_latency; slices: computers "
                    "and network run by turns, frames arrive with the next slice; parallel: they run at the "
                    "same time")
            .number("quantum", &p::quantum, 1, 1e12, "cycles",
                    "of a slice, after which all wait for each other")
            .number("access_latency", &p::access_latency, 0, 1e12, "cycles",
                    "of the cable between a computer and the network: part of every frame's way, and the "
                    "lookahead")
            .number("cycles", &p::cycles, 0, 1e18, "cycles",
                    "after which the run ends; 0: when the computers end it")
            .flag("first_ends", &p::first_ends,
                  "the run ends with the first peer that says goodbye, not the last one")
            .number("max_frame", &p::max_frame, frame::shortest, 65535, "bytes", "of a frame")
            .number("max_slice_bytes", &p::max_slice_bytes, 1000, 1e12, "bytes",
                    "of frames from a peer in a slice; more is taken for a fault")
            .flag(
                "flood", &p::flood,
                "frames to an address that is not known go to all computers, as a switch does; else to none")
            .flag("capture", &p::capture, "every frame goes into frames.pcap, for Wireshark")
            .number("join_s", &p::join_s, 0.1, 1e6, "s", "of the host, for all peers to come in")
            .number("reply_s", &p::reply_s, 0.1, 1e6, "s", "of the host, for a peer to run a slice")
            .flag("cut_off", &p::cut_off, "a peer that fails is cut off, and the run goes on without it")
            .texts("start", &p::start,
                   "a program and its arguments, relative to the file's folder or in $PATH: starts the "
                   "computers. It has SARE_BRIDGE, the first address of peers, and SARE_BRIDGE_FOLDER, for "
                   "its files");
    return fields;
}

bridge::bridge(bridge_parameters p, const config::value& section, const workload_context& c)
    : m(std::move(p)), m_at(section.where()), m_folder(c.folder) {
    if (!m.start.empty() && m.start[0].empty())
        throw config::error(m_at, "workload 'bridge': 'start' begins with a program");
    const reception_context context{m_folder, "/tmp/sare-XXXXXX"};
    for (const config::value& s : sections_of(m.peers))
        bridge_protocol_registry::instance().make(s, context);  // what is wrong is said at once
}

bridge::~bridge() = default;

void bridge::start(traffic_port& port) {
    m_port = &port;
    m_time.first = port.first_cycle();
    m_time.next_slice = m_time.first;
    const double ps = port.cycle_seconds() * 1e12;
    m_time.period = static_cast<picoseconds>(std::llround(ps));
    if (m_time.period == 0 || std::abs(ps - static_cast<double>(m_time.period)) > 1e-6 * ps)
        throw config::error(m_at,
                            "workload 'bridge': clock.period must be a whole number of picoseconds, the unit "
                            "of time between computers and network");
    if (port.nodes() < 2) throw config::error(m_at, "workload 'bridge' needs a network of 2 nodes or more");
    m_counts = std::make_unique<frame_counts>(m_time.period);
    m_terms.nodes = port.nodes();
    m_terms.quantum = m.quantum * m_time.period;
    m_terms.access_latency = m.access_latency * m_time.period;
    m_terms.max_frame = m.max_frame;
    m_terms.max_slice_bytes = m.max_slice_bytes;
    m_terms.computers.resize(port.nodes());
    m_peer_of.assign(port.nodes(), no_peer);
}

void bridge::open() {
    m_private_folder = make_private_folder();
    try {
        const reception_context context{m_folder, m_private_folder};
        for (const config::value& s : sections_of(m.peers)) {
            m_receptions.push_back(bridge_protocol_registry::instance().make(s, context));
            m_receptions.back()->open(m_terms, m_host.warn);
        }
        if (!m_host.folder.empty()) std::filesystem::create_directories(m_host.folder);
        if (m.capture && !m_host.folder.empty())
            m_capture = std::make_unique<capture_file>(m_host.folder + "/frames.pcap");
        start_command();
        await_peers();
    } catch (...) {
        for (const auto& p : m_newcomers) p->dismiss("the run has not begun");
        m_newcomers.clear();
        close_receptions();
        throw;
    }
    close_receptions();
}

void bridge::close_receptions() {
    for (const auto& r : m_receptions) r->close();
    std::error_code ignored;
    std::filesystem::remove_all(m_private_folder, ignored);
}

void bridge::start_command() {
    if (m.start.empty()) return;
    std::vector<std::string> words = m.start;
    const bool is_file = words[0].find('/') != std::string::npos;
    if (is_file && words[0][0] != '/')
        words[0] =
            std::filesystem::absolute(std::filesystem::path(m_folder) / words[0]).lexically_normal().string();
    const std::string folder = m_host.folder.empty() ? m_private_folder : m_host.folder;
    m_command = std::make_unique<command>(words, m_folder, folder + "/start.log",
                                          std::vector<std::pair<std::string, std::string>>{
                                              {"SARE_BRIDGE", m_receptions[0]->address()},
                                              {"SARE_BRIDGE_FOLDER", std::filesystem::absolute(folder)}});
}

bool bridge::all_have_come() const {
    return std::all_of(m_receptions.begin(), m_receptions.end(), [](const auto& r) { return r->complete(); });
}

void bridge::await_peers() {
    const auto since = clock::now();
    while (!all_have_come() && !m_host.stop_wanted()) {
        m_watched.clear();
        for (const auto& r : m_receptions) r->watch(m_watched);
        poll(m_watched.data(), m_watched.size(), 100);
        for (const auto& r : m_receptions) r->attend(m_terms, m_newcomers);
        for (const auto& p : m_newcomers) {
            try {
                p->attend(*this);
            } catch (const peer_failure& f) {
                throw config::error(m_at, "bridge: '" + p->name() + "', before the run began: " + f.what());
            }
            if (p->has_left())
                throw config::error(
                    m_at, "bridge: '" + p->name() + "' left before the run began: " + p->farewell());
        }
        check_command();
        const std::string state =
            joined(m_receptions, ", ", [](const auto& r) { return r->state() + " at " + r->address(); });
        m_host.show("waiting for computers: " + state);
        if (seconds_since(since) < m.join_s || all_have_come()) continue;
        throw config::error(m_at, "bridge: after " + config::number_text(m.join_s) + " s there are " + state);
    }
    m_host_seconds.joining = seconds_since(since);
}

void bridge::check_command() {
    if (m_command == nullptr || all_have_come()) return;
    const auto end = m_command->ended();
    if (!end) return;
    throw config::error(m_at, "bridge: '" + m_command->text() + "' ended (" +
                                  (end->empty() ? "status 0" : *end) +
                                  ") before its computers had come: " + m_command->last_words());
}

/// Begins the run; all peers are there.
void bridge::begin() {
    // In an order that does not tell which came first.
    std::sort(m_newcomers.begin(), m_newcomers.end(),
              [](const auto& a, const auto& b) { return a->computers()[0].node < b->computers()[0].node; });
    picoseconds least = ~picoseconds{0};
    for (auto& p : m_newcomers) {
        for (const computer& c : p->computers()) {
            m_peer_of[c.node] = static_cast<std::uint32_t>(m_peers.size());
            m_table.give(c);
        }
        least = std::min(least, p->access_latency());
        m_peers.emplace_back();
        m_peers.back().who = std::move(p);
    }
    m_newcomers.clear();
    m_queues.incoming.resize(m_peers.size());
    m_slices = slices(m.mode, m_terms.quantum, least);
    m_phase.begun = true;
    if (m_slices.run_at_once()) release(0);
}

}  // namespace sare::traffic
