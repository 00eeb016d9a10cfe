// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <chrono>
#include <thread>

/// One protocol of the bridge without the bridge: a reception, its peers, and what they tell.
namespace sare::testing_support {

class bridge_bench final : public traffic::bridge_side {
  public:
    static constexpr traffic::picoseconds quantum = 1'000'000, access = 1'000'000;

    explicit bridge_bench(const config::value& section, std::uint32_t nodes = 4) {
        terms.nodes = nodes;
        terms.quantum = quantum;
        terms.access_latency = access;
        terms.max_frame = 1518;
        terms.max_slice_bytes = 100'000;
        terms.computers.resize(nodes);
        door = traffic::bridge_protocol_registry::instance().make(section, {"", "/tmp"});
        door->open(terms, [this](const std::string& text) { warnings.push_back(text); });
    }

    /// What the bridge does in its loop, once.
    void pump() {
        if (!door->complete()) door->attend(terms, peers);
        for (const auto& p : peers) {
            if (!failure.empty() || p->has_left()) continue;
            try {
                p->attend(*this);
            } catch (const traffic::peer_failure& f) {
                failure = f.what();
                p->dismiss(failure);
            }
        }
    }
    /// Pumps until `is_so`; false: it never is.
    template <class F>
    bool until(F is_so, double seconds = 5) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!is_so()) {
            if (std::chrono::steady_clock::now() > end) return false;
            pump();
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        return true;
    }
    bool until_done(traffic::picoseconds time) {
        return until([&] { return peers[0]->done() >= time; });
    }
    /// How the peer failed.
    std::string until_failure() {
        until([&] { return !failure.empty(); });
        return failure;
    }
    bool warned_of(const std::string& part) const {
        for (const std::string& w : warnings)
            if (w.find(part) != std::string::npos) return true;
        return false;
    }

    void sent(traffic::frame f) override { frames.push_back(std::move(f)); }
    void region_begins(traffic::picoseconds at) override { begins.push_back(at); }
    void region_ends(traffic::picoseconds at) override { ends.push_back(at); }
    std::string figures() const override { return "{}"; }

    traffic::bridge_terms terms;
    std::unique_ptr<traffic::reception> door;
    std::vector<std::unique_ptr<traffic::peer>> peers;
    std::vector<traffic::frame> frames;
    std::vector<traffic::picoseconds> begins, ends;
    std::vector<std::string> warnings;
    std::string failure;
};

/// A frame of `length` bytes between the computers whose MACs end with these numbers.
inline std::string frame_bytes(std::uint8_t to, std::uint8_t from, std::size_t length) {
    std::string bytes{2, 0, 0, 0, 0, static_cast<char>(to), 2, 0, 0, 0, 0, static_cast<char>(from)};
    bytes += "\x88\xb5";
    while (bytes.size() < length) bytes += static_cast<char>(bytes.size());
    return bytes;
}

inline traffic::frame frame_for(std::uint32_t node, traffic::picoseconds time, const std::string& bytes) {
    traffic::frame f;
    f.time = time;
    f.node = node;
    f.length = static_cast<std::uint32_t>(bytes.size());
    f.bytes = std::make_shared<const std::vector<std::uint8_t>>(bytes.begin(), bytes.end());
    return f;
}

}  // namespace sare::testing_support
