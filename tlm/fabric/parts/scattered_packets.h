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

/// Packets whose flits go by different ways, as one of several processes knows them: a packet has one number
/// here as long as a flit of it is here. All know it by its source and the cycle in which it was injected.
class scattered_packets {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    explicit scattered_packets(packet_keeper& kept) : m_kept(kept) {}

    /// A flit goes to another process, with what is kept of its packet here.
    std::uint32_t go(std::uint32_t id, const packet& p) {
        if (m_numbers.count(name_of(p)) == 0) know(id, p, p.flits);  // the others are here
        --m_here[id];
        return m_kept.take_kept(id);
    }
    /// None is here any more: the number is free.
    bool forget_if_gone(std::uint32_t id) { return m_here[id] == 0 && m_numbers.erase(m_names[id]) != 0; }
    /// The number of a packet here; none: no flit of it is.
    std::uint32_t find(const packet& p) const {
        const auto its = m_numbers.find(name_of(p));
        return its == m_numbers.end() ? none : its->second;
    }
    /// The packet has a number now; numbers are below `slots`.
    void begin(std::uint32_t id, const packet& p, std::uint32_t slots) {
        m_kept.keep_packets(slots);
        know(id, p, 0);
    }
    /// A flit has come, and `kept` with it.
    void come(std::uint32_t id, std::uint32_t kept) {
        ++m_here[id];
        m_kept.add_kept(id, kept);
    }
    void serialize(archive& a);

  private:
    /// The packet that had the number before may have ended here.
    void know(std::uint32_t id, const packet& p, std::uint32_t here) {
        if (m_here.size() <= id) m_here.resize(id + 1, 0), m_names.resize(id + 1, {none, 0});
        if (const auto old = m_numbers.find(m_names[id]); old != m_numbers.end() && old->second == id)
            m_numbers.erase(old);
        m_numbers[m_names[id] = name_of(p)] = id;
        m_here[id] = here;
    }

    packet_keeper& m_kept;
    std::map<packet_name, std::uint32_t> m_numbers;
    std::vector<packet_name> m_names;   ///< by number
    std::vector<std::uint32_t> m_here;  ///< flits, by number
};

}  // namespace sare
