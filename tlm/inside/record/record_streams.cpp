// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/record/record_streams.h"

#include <zlib.h>

#include <ostream>

namespace sare {
namespace {

void append(std::string& bytes, std::uint64_t n) {
    for (; n >= 128; n >>= 7) bytes += static_cast<char>(n | 128);
    bytes += static_cast<char>(n);
}

void write_packed(std::ostream& out, const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0'), text;
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t k = 0; k < size; k += 3) {
        std::uint32_t three = 0;
        for (std::size_t n = 0; n < 3; ++n)
            three = three << 8 | (k + n < size ? static_cast<unsigned char>(packed[k + n]) : 0U);
        for (std::size_t n = 0; n < 4; ++n) text += k + n > size ? '=' : digits[three >> (18 - 6 * n) & 63];
    }
    out << '"' << text << '"';
}

}  // namespace

bool record_streams::note(record_stream s, std::uint32_t index, bool expected, bool is) {
    m_is_empty = m_is_empty && !expected && !is;
    if (expected == is) return is;
    stream& its = m_all[static_cast<std::size_t>(s)];
    append(its.indices, index - its.last + 1);
    its.last = index;
    return is;
}

void record_streams::number(record_stream s, std::uint64_t n) {
    append(m_all[static_cast<std::size_t>(s)].numbers, n);
}

void record_streams::end_step() {
    m_is_empty = true;
    for (std::size_t s = 0; s < static_cast<std::size_t>(record_stream::numbers); ++s) {
        m_all[s].indices += '\0';
        m_all[s].last = 0;
    }
}

void record_streams::write(std::ostream& out) const {
    for (std::size_t s = 0; s < m_all.size(); ++s) {
        out << (s == 0 ? "{\"" : ",\"") << record_stream_names[s] << "\":[";
        write_packed(out, m_all[s].indices);
        out << ',';
        write_packed(out, m_all[s].numbers);
        out << ']';
    }
    out << '}';
}

}  // namespace sare
