// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace sare::axi {

/// A vector of up to 1,024 bits.
class wide {
  public:
    static constexpr std::uint32_t bits = 1024;

    /// Returns the `width` bits, at most 64, from bit `lsb` on, which must be below 1,024.
    std::uint64_t get(std::uint32_t lsb, std::uint32_t width) const {
        const std::uint32_t w = lsb / 64, shift = lsb % 64;
        std::uint64_t value = m_words[w] >> shift;
        if (shift != 0 && w + 1 < m_words.size()) value |= m_words[w + 1] << (64 - shift);
        return value & mask(width);
    }
    /// Sets the `width` bits, at most 64, from bit `lsb` on; all of them must be below bit 1,024.
    void set(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
        for (std::uint32_t done = 0; done < width;) {
            const std::uint32_t shift = (lsb + done) % 64, n = std::min(64 - shift, width - done);
            std::uint64_t& word = m_words[(lsb + done) / 64];
            word = (word & ~(mask(n) << shift)) | ((value >> done & mask(n)) << shift);
            done += n;
        }
    }
    /// Returns a copy of the `width` bits from bit `lsb` on, of any number, as its bits from 0 on.
    wide slice(std::uint32_t lsb, std::uint32_t width) const {
        wide part;
        for (std::uint32_t done = 0; done < width; done += 64)
            part.set(done, std::min(64u, width - done), get(lsb + done, std::min(64u, width - done)));
        return part;
    }
    /// Sets the `width` bits from bit `lsb` on, of any number, to the lowest bits of `value`.
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
