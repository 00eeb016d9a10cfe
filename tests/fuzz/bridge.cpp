// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"
#include "tests/traffic/fake_port.h"
#include "traffic/bridge/frames/counts.h"
#include "traffic/bridge/session.h"

#include <sys/socket.h>

/// What a peer says to the bridge: its HELLO, and all that it sends afterwards, in slices of any size. The
/// first byte says how much comes at a time.
namespace {

using namespace sare;
using namespace sare::traffic;

class listening final : public bridge_side {
  public:
    void sent(frame f) override {
        m_counts.sent(f);
        if (f.bytes != nullptr && f.bytes->size() != f.length) std::abort();
        if (f.length > 9216 || f.node >= 8) std::abort();
    }
    void region_begins(picoseconds at) override { m_counts.region_begins(at); }
    void region_ends(picoseconds at) override { m_counts.region_ends(at); }
    std::string figures() const override { return m_counts.figures(); }

  private:
    frame_counts m_counts{1000};
};

bridge_terms terms() {
    bridge_terms t;
    t.nodes = 8;
    t.quantum = 1000000;
    t.max_frame = 9216;
    t.max_slice_bytes = 1 << 20;
    t.computers.resize(t.nodes);
    return t;
}

void hear(const std::uint8_t* data, std::size_t size) {
    bridge_terms all = terms();
    listening bridge;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
    descriptor near(ends[0]);
    const descriptor far(ends[1]);
    // Of the handshake: the record and its body.
    wire::reader in(reinterpret_cast<const char*>(data), size);
    const auto length = in.get<std::uint16_t>();
    if (length > in.left()) throw peer_failure("short");
    wire::reader body(reinterpret_cast<const char*>(data) + 2, length);
    wire::hello h = wire::read_hello(body);
    take_nodes(all, h.computers);
    session s(byte_stream(std::move(near), 1 << 20), std::move(h), all);
    s.grant(all.quantum);
    std::size_t at = 2 + std::size_t{length};
    const std::size_t step = at < size ? 1 + data[at++] : 1;
    while (at < size && !s.has_left()) {
        const std::size_t n = std::min(step, size - at);
        if (send(far.get(), data + at, n, MSG_DONTWAIT) < 0) return;
        at += n;
        s.attend(bridge);
        if (s.done() == s.granted()) s.grant(s.granted() + all.quantum);
        char answers[65536];
        while (recv(far.get(), answers, sizeof answers, MSG_DONTWAIT) > 0) {
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        hear(data, size);
    } catch (const peer_failure&) {
    }
    return 0;
}
