// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace sare::axi {

/// A vector of 1,024 bits, all 0 at first.
class wide {
  public:
    /// Number of bits of the vector.
    static constexpr std::uint32_t bits = 1024;

    /// Returns the bits `lsb` to lsb + width - 1 as a number; `width` is at most 64, `lsb` below 1,024
    /// (neither is checked). Bits from 1,024 on count as 0.
    std::uint64_t get(std::uint32_t lsb, std::uint32_t width) const {
        const std::uint32_t w = lsb / 64, shift = lsb % 64;
        std::uint64_t value = m_words[w] >> shift;
        if (shift != 0 && w + 1 < m_words.size()) value |= m_words[w + 1] << (64 - shift);
        return value & mask(width);
    }
    /// Sets the bits `lsb` to lsb + width - 1 to the lowest `width` bits of `value`. `width` is at most 64,
    /// and all bits must be below 1,024 (neither is checked).
    void set(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
        for (std::uint32_t done = 0; done < width;) {
            const std::uint32_t shift = (lsb + done) % 64, n = std::min(64 - shift, width - done);
            std::uint64_t& word = m_words[(lsb + done) / 64];
            word = (word & ~(mask(n) << shift)) | ((value >> done & mask(n)) << shift);
            done += n;
        }
    }
    /// Returns a vector whose lowest `width` bits are the bits from `lsb` on, and whose remaining bits are 0.
    /// `width` may be above 64.
    wide slice(std::uint32_t lsb, std::uint32_t width) const {
        wide part;
        for (std::uint32_t done = 0; done < width; done += 64)
            part.set(done, std::min(64u, width - done), get(lsb + done, std::min(64u, width - done)));
        return part;
    }
    /// Sets the bits `lsb` to lsb + width - 1 to the lowest `width` bits of `value`. `width` may be above 64;
    /// all bits must be below 1,024.
    void put(std::uint32_t lsb, std::uint32_t width, const wide& value) {
        for (std::uint32_t done = 0; done < width; done += 64)
            set(lsb + done, std::min(64u, width - done), value.get(done, std::min(64u, width - done)));
    }

    bool operator==(const wide& o) const { return m_words == o.m_words; }
    bool operator!=(const wide& o) const { return !(*this == o); }

  private:
    static std::uint64_t mask(std::uint32_t width) {
        return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    }

    std::array<std::uint64_t, bits / 64> m_words{};
};

}  // namespace sare::axi
