// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <string>
#include <vector>

/// The bridge's own protocol, as it lies on a stream (docs/bridge.md has the table): records of a length
/// (u32, of the bytes after it), a type (u8) and fields, all little-endian.
namespace sare::traffic::wire {

constexpr std::uint16_t version = 1;
constexpr std::uint32_t magic = 0x45524153;  ///< text "SARE"
constexpr std::uint32_t any_node = ~0U;
constexpr std::size_t max_nodes = 1024, max_macs = 16, max_name = 63, max_text = 255;
constexpr std::size_t max_frame = 65535;
/// Most bytes of a record before the handshake, behind its length.
constexpr std::size_t max_hello = 64 + max_name + max_nodes * (5 + 6 * max_macs);
/// Most bytes of a record after the handshake, behind its length.
constexpr std::size_t max_record = max_frame + 64;

enum class type : std::uint8_t {
    hello = 1,
    welcome,
    refused,
    frame,
    done,
    grant,
    roi_begin,
    roi_end,
    stats,
    figures,
    bye
};

struct hello {
    std::string name;                        ///< name of the session, for reports and errors
    double clock_hz = 0;                     ///< clock of a processor, for reports; 0: not told
    picoseconds quantum = 0, lookahead = 0;  ///< see sare_bridge_hello; 0: the network's
    std::vector<computer> computers;         ///< computers of the session
};

/// Appends the low `size` bytes of a number, the lowest first.
inline void append(std::string& bytes, std::uint64_t n, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(n >> (8 * i)));
}

/// Writer of a record.
class writer {
  public:
    explicit writer(type t) {
        put(0U);
        put(static_cast<std::uint8_t>(t));
    }
    template <class N>
    writer& put(N n) {
        static_assert(std::is_unsigned_v<N>);
        append(m_bytes, n, sizeof n);
        return *this;
    }
    writer& put(const std::string& text) {
        m_bytes += text;
        return *this;
    }
    writer& put(const std::vector<std::uint8_t>& bytes) {
        m_bytes.append(bytes.begin(), bytes.end());
        return *this;
    }
    /// Returns the record, with its length.
    const std::string& finish();

  private:
    std::string m_bytes;
};

/// Reader of a record that has come. Functions throw peer_failure for missing or surplus bytes.
class reader {
  public:
    /// `begin`: first byte after the length.
    reader(const char* begin, std::size_t length) : m_at(begin), m_end(begin + length) {}
    template <class N>
    N get() {
        static_assert(std::is_unsigned_v<N>);
        need(sizeof(N));
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < sizeof(N); ++i)
            n |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(m_at[i])) << (8 * i);
        m_at += sizeof(N);
        return static_cast<N>(n);
    }
    double get_double();
    std::string get_text(std::size_t length);
    std::string rest() { return get_text(left()); }
    std::vector<std::uint8_t> get_bytes(std::size_t length);
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }  ///< bytes not read yet
    void expect_end() const;  ///< throws unless everything was read

  private:
    void need(std::size_t bytes) const;

    const char* m_at;
    const char* m_end;
};

/// Reads a HELLO, from behind the type. Throws peer_failure for anything but one of this version.
hello read_hello(reader& in);
/// Returns the record that answers the HELLO of a newcomer.
std::string welcome(const bridge_terms& terms, const peer& newcomer);
/// Returns a record with a text, cut to max_text bytes, as its only field.
std::string text_record(type t, const std::string& text);
/// Returns a record with a time as its only field.
std::string time_record(type t, picoseconds time);
/// Returns the record of a frame. `place`: index of the computer in its session.
std::string frame_record(const frame& f, std::uint32_t place);
/// Reads a frame, from behind the type, without its source. `place`: the session's index of the computer.
frame read_frame(reader& in, std::uint32_t& place);

}  // namespace sare::traffic::wire
