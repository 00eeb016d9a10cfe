// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/event_bytes.h"

#include <cstring>

namespace sare::traffic {
namespace {

/// Visits the fields in the order of the format: a new one comes behind the others.
template <class Operation, class Visitor>
void for_each_field(Operation& o, Visitor&& visit) {
    visit.flag(o.in_sequence);
    visit.number(o.communicator);
    visit.rank(o.peer);
    visit.number(o.bytes);
    visit.integer(o.tag);
    visit.name(o.request);
    visit.real(o.seconds);
    visit.real(o.flops);
    visit.rank(o.from);
    visit.number(o.from_bytes);
    visit.number(o.root);
    visit.list(o.counts);
    visit.list(o.receive_counts);
    visit.names(o.needs);
}

/// Returns a double's bytes the other way round: the mantissa of a round number ends in zeros.
std::uint64_t turned(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return __builtin_bswap64(bits);
}
double turned_back(std::uint64_t n) {
    n = __builtin_bswap64(n);
    double x = 0;
    std::memcpy(&x, &n, sizeof x);
    return x;
}

/// The fields that are not as default. A double counts by its bits: -0 is not 0.
class presence {
  public:
    std::uint64_t mask() const { return m_mask; }
    void flag(bool x) { say(!x); }
    template <class Number>
    void number(Number x) {
        say(x != 0);
    }
    void rank(std::uint32_t x) { say(x != 0); }
    void integer(std::int64_t x) { say(x != 0); }
    void name(std::uint64_t x) { say(x != 0); }
    void real(double x) { say(turned(x) != 0); }
    template <class List>
    void list(const List& x) {
        say(!x.empty());
    }
    void names(const std::vector<requirement>& x) { say(!x.empty()); }

  private:
    void say(bool there) {
        m_mask |= there ? m_bit : 0;
        m_bit <<= 1;
    }
    std::uint64_t m_mask = 0, m_bit = 1;
};

class operation_writer {
  public:
    operation_writer(std::string& to, std::uint64_t mask, byte_context& context)
        : m_to(to), m_mask(mask), m_context(context) {}
    void flag(bool) { next(); }
    template <class Number>
    void number(Number x) {
        if (next()) put_varint(m_to, x);
    }
    /// Writes a rank; any_source is the largest number, as 0 it is short.
    void rank(std::uint32_t x) {
        if (next()) put_varint(m_to, x + 1);
    }
    void integer(std::int64_t x) {
        if (next()) put_varint(m_to, zigzag(x));
    }
    void name(std::uint64_t x) {
        if (next()) put_name(x);
    }
    void real(double x) {
        if (next()) put_varint(m_to, turned(x));
    }
    void list(const std::vector<std::uint64_t>& x) {
        if (!next()) return;
        put_varint(m_to, x.size());
        for (const auto n : x) put_varint(m_to, n);
    }
    void names(const std::vector<requirement>& x) {
        if (!next()) return;
        put_varint(m_to, x.size());
        for (const requirement& n : x) {
            put_varint(m_to, n.begun ? 1 : 0);
            put_name(n.request);
        }
    }

  private:
    bool next() {
        const bool there = (m_mask & 1) != 0;
        m_mask >>= 1;
        return there;
    }
    void put_name(std::uint64_t x) {
        put_varint(m_to, zigzag(static_cast<std::int64_t>(x - m_context.name)));
        m_context.name = x;
    }
    std::string& m_to;
    std::uint64_t m_mask;
    byte_context& m_context;
};

class operation_reader {
  public:
    operation_reader(byte_source& from, std::uint64_t mask, byte_context& context)
        : m_from(from), m_mask(mask), m_context(context) {}
    std::uint64_t unknown() const { return m_mask; }  ///< bits behind those of all fields
    void flag(bool& x) { x = !next(); }
    void number(std::uint32_t& x) {
        if (next()) x = limited(m_from.varint());
    }
    void number(std::uint64_t& x) {
        if (next()) x = m_from.varint();
    }
    void rank(std::uint32_t& x) {
        if (next()) x = limited(m_from.varint()) - 1;
    }
    void integer(std::int64_t& x) {
        if (next()) x = unzigzag(m_from.varint());
    }
    void name(std::uint64_t& x) {
        if (next()) x = take_name();
    }
    void real(double& x) {
        if (next()) x = turned_back(m_from.varint());
    }
    void list(std::vector<std::uint64_t>& x) {
        if (!next()) return;
        for (std::uint64_t left = size(1); left > 0; --left) x.push_back(m_from.varint());
    }
    void names(std::vector<requirement>& x) {
        if (!next()) return;
        for (std::uint64_t left = size(2); left > 0; --left) {
            const bool begun = m_from.varint() != 0;
            x.push_back({take_name(), begun});
        }
    }

  private:
    bool next() {
        const bool there = (m_mask & 1) != 0;
        m_mask >>= 1;
        return there;
    }
    /// Returns the length of a list, which has at least so many bytes an entry.
    std::uint64_t size(std::size_t bytes) {
        const std::uint64_t n = m_from.varint();
        if (n <= m_from.left() / bytes) return n;
        m_from.give_up();
        return 0;
    }
    std::uint32_t limited(std::uint64_t n) {
        if (n > ~std::uint32_t{0}) m_from.give_up();
        return static_cast<std::uint32_t>(n);
    }
    std::uint64_t take_name() {
        return m_context.name += static_cast<std::uint64_t>(unzigzag(m_from.varint()));
    }
    byte_source& m_from;
    std::uint64_t m_mask;
    byte_context& m_context;
};

}  // namespace

void put_varint(std::string& to, std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) to += static_cast<char>(n | 0x80);
    to += static_cast<char>(n);
}

std::uint64_t byte_source::long_varint() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64 && m_at != m_end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*m_at++);
        if (shift == 63 && byte > 1) break;  // more than 64 bits
        n |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return n;
    }
    give_up();
    return 0;
}

const char* byte_source::take(std::size_t bytes) {
    if (left() < bytes) {
        give_up();
        return nullptr;
    }
    const char* const from = m_at;
    m_at += bytes;
    return from;
}

void put_operation(std::string& to, std::uint64_t code, const operation& o, byte_context& context) {
    presence there;
    for_each_field(o, there);
    put_varint(to, code);
    put_varint(to, there.mask());
    for_each_field(o, operation_writer(to, there.mask(), context));
}

std::uint64_t take_operation(byte_source& from, operation& o, byte_context& context) {
    const std::uint64_t code = from.varint();
    operation_reader fields(from, from.varint(), context);
    for_each_field(o, fields);
    if (fields.unknown() != 0) from.give_up();
    return code;
}

}  // namespace sare::traffic
