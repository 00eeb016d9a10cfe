// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <string>
#include <vector>

/// The bridge's own protocol as bytes on a stream (docs/bridge.md has a table): records, each of a length
/// (u32, number of the bytes behind it), a type (u8) and fields. All numbers are little-endian.
namespace sare::traffic::wire {

/// Version of the protocol: a number in HELLO, which must be equal on both sides.
constexpr std::uint16_t version = 1;
constexpr std::uint32_t magic = 0x45524153;  ///< number in HELLO: the text "SARE"
/// Number in HELLO for "no node named".
constexpr std::uint32_t any_node = ~0U;
/// Limits: computers of a session, addresses of a computer, bytes of a name, bytes of a text.
constexpr std::size_t max_nodes = 1024, max_macs = 16, max_name = 63, max_text = 255;
/// Largest number of bytes of a frame.
constexpr std::size_t max_frame = 65535;
/// Largest length of a record before the session has joined.
constexpr std::size_t max_hello = 64 + max_name + max_nodes * (5 + 6 * max_macs);
/// Largest length of a record after the session has joined.
constexpr std::size_t max_record = max_frame + 64;

/// Type of a record. From a session: hello (first record), frame, done (has run up to a time), roi_begin and
/// roi_end (region of interest), stats (asks for figures), bye. From the bridge: welcome or refused (answers
/// to hello), frame, grant (may run up to a time), figures (answer to stats), bye.
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

/// The contents of a HELLO, with which a session joins.
struct hello {
    std::string name;     ///< name of the session, for reports and errors
    double clock_hz = 0;  ///< clock frequency of a processor in Hz, for reports; 0: not told
    picoseconds quantum = 0, lookahead = 0;  ///< length of a slice that the session needs, 0: any; latency
                                             ///< from and to its computers, 0: bridge_terms::access_latency;
                                             ///< both in picoseconds
    std::vector<computer> computers;         ///< computers of the session
};

/// Appends the low `size` bytes of `n`, the least significant one first.
inline void append(std::string& bytes, std::uint64_t n, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(n >> (8 * i)));
}

/// Makes a record, field by field.
class writer {
  public:
    /// Begins a record of type `t`.
    explicit writer(type t) {
        put(0U);
        put(static_cast<std::uint8_t>(t));
    }
    /// Appends an unsigned number in as many bytes as its type has.
    template <class N>
    writer& put(N n) {
        static_assert(std::is_unsigned_v<N>);
        append(m_bytes, n, sizeof n);
        return *this;
    }
    /// Appends the characters of a text, without its length.
    writer& put(const std::string& text) {
        m_bytes += text;
        return *this;
    }
    /// Appends bytes, without their number.
    writer& put(const std::vector<std::uint8_t>& bytes) {
        m_bytes.append(bytes.begin(), bytes.end());
        return *this;
    }
    /// Returns the record, with its length in front. Call once, after the last field.
    const std::string& finish();

  private:
    std::string m_bytes;
};

/// Reads the fields of a record. Functions throw peer_failure if the record has too few bytes.
class reader {
  public:
    /// `begin`: address of the first byte behind the length; `length`: number of bytes, which must stay as
    /// they are while the reader is used.
    reader(const char* begin, std::size_t length) : m_at(begin), m_end(begin + length) {}
    /// Returns the next field, a number of type N.
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
    /// Returns the next 8 bytes as a double (IEEE 754).
    double get_double();
    /// get_text() returns the next `length` bytes as text, rest() all bytes that are left.
    std::string get_text(std::size_t length);
    std::string rest() { return get_text(left()); }
    /// Returns the next `length` bytes.
    std::vector<std::uint8_t> get_bytes(std::size_t length);
    /// Returns the number of bytes not read yet.
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    void expect_end() const;  ///< throws peer_failure if there are bytes not read yet

  private:
    void need(std::size_t bytes) const;

    const char* m_at;
    const char* m_end;
};

/// Reads the fields of a HELLO behind its type. Throws peer_failure if the record is malformed or of another
/// version.
hello read_hello(reader& in);
/// Returns the record WELCOME for a session: terms of the run, and the nodes and the latency of `newcomer`,
/// the session.
std::string welcome(const bridge_terms& terms, const peer& newcomer);
/// Returns a record of type `t` with a text as its only field, cut to max_text bytes.
std::string text_record(type t, const std::string& text);
/// Returns a record of type `t` with a time as its only field.
std::string time_record(type t, picoseconds time);
/// Returns the record of a frame for a session. `place`: index of the computer in the session's HELLO.
std::string frame_record(const frame& f, std::uint32_t place);
/// Reads the fields of a session's frame behind the type, and sets `place` to the index of the sending
/// computer in the session's HELLO, which is not checked. Members `node` and `source` of the result are not
/// set. Throws peer_failure if the record is malformed.
frame read_frame(reader& in, std::uint32_t& place);

}  // namespace sare::traffic::wire
