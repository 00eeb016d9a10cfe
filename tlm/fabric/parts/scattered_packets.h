// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/parts/packet_name.h"
#include "tlm/router_api/in_parts.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sare {

class archive;

/// Table, in one of several processes, of the packets whose flits take different routes. A packet has a slot
/// in this process as long as a flit of it is here; all processes know the packet by its packet_name. `id` is
/// a slot of the pool of packets.
class scattered_packets {
  public:
    static constexpr std::uint32_t none = 0xffffffff;  ///< result of find(): no slot

    /// `kept`: numbers that router banks keep for each packet slot (tlm/router_api/in_parts.h); it must
    /// outlive this object.
    explicit scattered_packets(packet_keeper& kept) : m_kept(kept) {}

    /// Counts a flit of packet `id`, whose contents are `p`, that goes to another process. Returns
    /// packet_keeper::take_kept() of the packet, to be sent with the flit.
    std::uint32_t go(std::uint32_t id, const packet& p) {
        if (m_numbers.count(name_of(p)) == 0) know(id, p, p.flits);  // the others are here
        --m_here[id];
        return m_kept.take_kept(id);
    }
    /// Forgets packet `id` if no flit of it is here any more. Returns true if it was known and is now
    /// forgotten.
    bool forget_if_gone(std::uint32_t id) { return m_here[id] == 0 && m_numbers.erase(m_names[id]) != 0; }
    /// Returns the slot that packet `p` has here; none: no flit of it is here.
    std::uint32_t find(const packet& p) const {
        const auto its = m_numbers.find(name_of(p));
        return its == m_numbers.end() ? none : its->second;
    }
    /// Notes slot `id` for packet `p`, whose first flit comes here; `slots`: number of slots of the pool.
    void begin(std::uint32_t id, const packet& p, std::uint32_t slots) {
        m_kept.keep_packets(slots);
        know(id, p, 0);
    }
    /// Counts a flit of packet `id` that has come here; `kept`: result of go() in the process that sent the
    /// flit.
    void come(std::uint32_t id, std::uint32_t kept) {
        ++m_here[id];
        m_kept.add_kept(id, kept);
    }
    /// Writes or reads the table; data of the packet_keeper are not included.
    void serialize(archive& a);

  private:
    /// Notes slot `id` for packet `p`, of which `here` flits are here, and forgets the packet that had the
    /// slot before.
    void know(std::uint32_t id, const packet& p, std::uint32_t here) {
        if (m_here.size() <= id) m_here.resize(id + 1, 0), m_names.resize(id + 1, {none, 0});
        if (const auto old = m_numbers.find(m_names[id]); old != m_numbers.end() && old->second == id)
            m_numbers.erase(old);
        m_numbers[m_names[id] = name_of(p)] = id;
        m_here[id] = here;
    }

    packet_keeper& m_kept;
    std::map<packet_name, std::uint32_t> m_numbers;  ///< slot of each packet that has a flit here
    std::vector<packet_name> m_names;                ///< name of the packet in each slot
    std::vector<std::uint32_t> m_here;               ///< number of flits here of the packet in each slot
};

}  // namespace sare
