// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/bytes.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

/// netrace 1.0: packets between the nodes of a chip, each with those that wait for it. A packet is a send of
/// its source and a receive of its destination; a clock of sleeps keeps every node to the cycles of the
/// trace.
namespace sare::traffic::variants::netrace {
namespace {

constexpr char magic[] = "UTJH";
constexpr std::size_t header_bytes = 72, region_bytes = 24, packet_bytes = 21;
constexpr double cycle_seconds = 1e-9;

/// Returns the bytes of a packet of a type: a header of 8, or that and a cache line; 0: no such type.
std::uint32_t size_of(unsigned type) {
    switch (type) {
        case 1:   // read request
        case 5:   // write response
        case 13:  // upgrade request
        case 14:  // upgrade response
        case 15:  // exclusive read request
        case 25:  // bad address
        case 27:  // invalidate request
        case 28:  // invalidate response
        case 29:  // downgrade request
            return 8;
        case 2:   // read response
        case 3:   // read response with invalidate
        case 4:   // write request
        case 6:   // writeback
        case 16:  // exclusive read response
        case 30:  // downgrade response
            return 72;
        default:
            return 0;
    }
}

/// One end of a packet, until its node asks for it.
struct packet_end {
    std::uint64_t cycle = 0;
    std::uint32_t id = 0;
    std::uint32_t portion = 0;  ///< portion of the trace in which it stands
    std::uint8_t peer = 0, bytes = 0;
    bool sends = false;
    bool awaited = false;               ///< true: others wait for its arrival
    std::vector<std::uint32_t> behind;  ///< send: packets that must have arrived at its source
};

class netrace_reader final : public trace_reader {
  public:
    explicit netrace_reader(const trace_source& source)
        : m_path(source.path), m_text(std::move(*source.text)) {
        char header[header_bytes];
        if (m_text.read(header, header_bytes) < header_bytes) fail("the header is cut short");
        if (std::string(header, 4) != magic) fail("a netrace file begins with '" + std::string(magic) + "'");
        constexpr std::uint64_t version_1 = 0x3f800000;  // as a float
        if (little_endian(header + 4, 4) != version_1) fail("only version 1.0 of netrace is known");
        m_nodes.resize(static_cast<unsigned char>(header[38]));
        if (m_nodes.empty()) fail("the header claims no nodes");
        m_claimed = little_endian(header + 48, 8);
        const std::uint64_t notes = little_endian(header + 56, 4), regions = little_endian(header + 60, 4);
        if (notes >= 8192)
            fail(fmt::format("the header claims notes of {} bytes; less than 8192 are possible", notes));
        if (regions > 100) fail(fmt::format("the header claims {} regions; 100 are possible", regions));
        std::string skipped(notes + regions * region_bytes, '\0');
        if (m_text.read(skipped.data(), skipped.size()) < skipped.size()) fail("the header is cut short");
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_nodes.size()); }
    config::location where(std::uint32_t, const event&) const override { return {m_path, 0, 0}; }

    bool next(std::uint32_t task, event& e) override {
        node& n = m_nodes[task];
        // A node with little to do must not have the whole trace read: its clock goes along, from the end of
        // a portion to that of the next, whatever others have had read already.
        while (n.waiting.empty() && m_ends.size() <= n.portion)
            if (!read_packet()) return false;
        const bool there = !n.waiting.empty() && n.waiting.front().portion <= n.portion;
        const std::uint64_t until = there ? n.waiting.front().cycle : m_ends[n.portion];
        if (!there) ++n.portion;
        e = event{};
        e.number = ++n.number;
        if (until > n.clock || !there) {
            e.what = op::sleep;
            e.seconds = static_cast<double>(until - n.clock) * cycle_seconds;
            n.clock = until;
            return true;
        }
        const packet_end p = std::move(n.waiting.front());
        n.waiting.pop_front();
        n.portion = std::max(n.portion, p.portion + 1);
        e.what = p.sends ? op::send : op::recv;
        e.in_sequence = false;
        e.peer = p.peer;
        e.bytes = p.bytes;
        e.tag = p.id;
        if (p.awaited) e.request = name(p.id);
        for (const auto id : p.behind) e.needs.push_back({name(id), false});
        return true;
    }

  private:
    static constexpr unsigned portion = 4096;  ///< number of packets

    struct node {
        std::deque<packet_end> waiting;
        std::uint64_t clock = 0, number = 0;
        std::uint32_t portion = 0;  ///< portion up to which it looks
    };
    struct arrival {
        std::uint32_t id = 0;
        std::uint8_t at = 0;
    };

    static std::uint64_t name(std::uint32_t id) { return id + std::uint64_t{1}; }

    [[noreturn]] void fail(const std::string& what) const { throw config::error({m_path, 0, 0}, what); }
    [[noreturn]] void fail(std::uint32_t packet, const std::string& what) const {
        fail(fmt::format("packet {}: {}", packet, what));
    }

    bool read_packet() {
        char record[packet_bytes];
        const std::size_t got = m_text.read(record, packet_bytes);
        if (got == 0 && m_read == m_claimed) return false;
        if (got < packet_bytes || m_read == m_claimed)
            fail(fmt::format("the header claims {} packets; there are {}", m_claimed,
                             got == 0              ? std::to_string(m_read)
                             : m_read == m_claimed ? "more"
                                                   : fmt::format("{} and a part of one", m_read)));
        ++m_read;
        const std::uint64_t cycle = little_endian(record, 8);
        const auto id = static_cast<std::uint32_t>(little_endian(record + 8, 4));
        const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(record[i]); };
        const std::uint8_t type = byte(16), source = byte(17), destination = byte(18), dependents = byte(20);
        if (size_of(type) == 0) fail(id, fmt::format("there is no packet of type {}", type));
        for (const auto end : {source, destination})
            if (end >= m_nodes.size())
                fail(id, fmt::format("node {} is out of range; nodes are 0 to {}", end, m_nodes.size() - 1));
        if (m_read > 1 && id <= m_last)
            fail(id, fmt::format("it comes after packet {}; numbers must rise", m_last));
        if (cycle < m_cycle)
            fail(id, fmt::format("its cycle {} is before {}, that of the packet before it", cycle, m_cycle));
        m_last = id;
        m_cycle = cycle;
        const auto place = static_cast<std::uint32_t>((m_read - 1) / portion);
        packet_end sent{cycle, id,    place, destination, static_cast<std::uint8_t>(size_of(type)),
                        true,  false, {}};
        packet_end received{cycle, id, place, source, sent.bytes, false, dependents > 0, {}};
        await(source, sent);
        read_dependents(id, destination, dependents);
        m_nodes[source].waiting.push_back(std::move(sent));
        m_nodes[destination].waiting.push_back(std::move(received));
        if (m_read % portion == 0) m_ends.push_back(cycle);
        return true;
    }

    /// Adds the packets that a packet must wait for, as earlier ones have said.
    void await(std::uint8_t source, packet_end& sent) {
        const auto found = m_awaited.find(sent.id);
        if (found == m_awaited.end()) return;
        for (const arrival& a : found->second) {
            if (a.at == source)
                sent.behind.push_back(a.id);
            else if (!m_said) {
                m_said = true;
                warn(
                    fmt::format("packet {} waits for packet {}, which arrives at another node: such "
                                "dependencies are left out",
                                sent.id, a.id));
            }
        }
        m_awaited.erase(found);
    }

    void read_dependents(std::uint32_t id, std::uint8_t destination, unsigned count) {
        char ids[4 * 255];
        if (m_text.read(ids, 4 * count) < 4 * count) fail(id, "the trace ends within its dependents");
        for (unsigned i = 0; i < count; ++i) {
            const auto dependent = static_cast<std::uint32_t>(little_endian(ids + 4 * i, 4));
            if (dependent <= id)
                fail(id, fmt::format("packet {} is to wait for it, but is not after it", dependent));
            m_awaited[dependent].push_back({id, destination});
        }
    }

    std::string m_path;
    text_stream m_text;
    std::vector<node> m_nodes;
    std::uint64_t m_claimed = 0, m_read = 0;  ///< numbers of packets
    std::uint64_t m_cycle = 0;                ///< cycle of the last packet
    std::vector<std::uint64_t> m_ends;        ///< cycles of the portions' last packets
    std::uint32_t m_last = 0;
    std::unordered_map<std::uint32_t, std::vector<arrival>>
        m_awaited;  ///< by the packet that waits, not read yet
    bool m_said = false;
};

[[maybe_unused]] const bool known =
    add_signature("netrace", [](const std::string& head) { return head.compare(0, 4, magic) == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "netrace", "netrace 1.0: packets of a chip's caches, with those that wait for them.",
    config::made<netrace_reader>};

}  // namespace
}  // namespace sare::traffic::variants::netrace
