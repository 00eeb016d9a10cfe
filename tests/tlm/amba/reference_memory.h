// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/amba/random_lanes.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <array>
#include <set>
#include <vector>

/// What random platforms are held against: bytes in which accesses are done at once, and what is known of
/// them.
namespace sare::test {

/// A byte that was written when the access failed has one of two values, or any.
struct known_byte {
    unsigned char one = 0, other = 0;
    bool any = false;
    bool fits(unsigned char seen) const { return any || seen == one || seen == other; }
};

/// Of a few atomic operations, on numbers; compare swaps what is below what is expected into the other value.
inline std::uint64_t after_atomic(const atomic_access& a, std::uint64_t value, std::uint64_t operand,
                                  std::uint64_t other) {
    switch (a.operation) {
        case atomic_operation::add:
            return value + operand;
        case atomic_operation::exclusive_or:
            return value ^ operand;
        case atomic_operation::unsigned_max:
            return std::max(value, operand);
        case atomic_operation::compare:
            return value == operand ? other : value;
        default:
            return operand;
    }
}

/// One after another, each lane in bytes of its own; all lanes add to a counter behind these.
struct reference_memory {
    static constexpr std::uint64_t size = 0x3000, counter = size - 8;
    std::vector<known_byte> bytes = std::vector<known_byte>(size);
    unsigned judged = 0, failed = 0, added = 0, perhaps_added = 0, atomics = 0, exclusives = 0, debugged = 0,
             direct = 0;
    std::set<std::uint64_t> counts;  ///< that were seen

    std::vector<std::string> violations;  ///< the first ones

    void expect(bool right, const transaction& t, const char* what) {
        if (!right && violations.size() < 10)
            violations.push_back(sc_core::sc_time_stamp().to_string() + ": " + text_of(t) + " (" +
                                 t.get_response_string() + ") " + what);
    }
    static std::uint64_t number(const unsigned char* from, unsigned length) {
        std::uint64_t x = 0;
        std::memcpy(&x, from, length);
        return x;
    }
    void judge_counter(const transaction& t) {
        perhaps_added += 1;
        if (!t.is_response_ok()) return;
        const std::uint64_t before = number(atomic_of(t)->before.data(), 8);
        expect(counts.insert(before).second, t, "has added to what another one has added to");
        ++added;
    }
    void judge_atomic(const transaction& t) {
        const std::uint64_t at = t.number;
        const atomic_access& a = *atomic_of(t);
        const unsigned length = value_bytes(a, t);
        std::array<unsigned char, 8> before{}, now{};
        bool any = false;
        for (unsigned k = 0; k < length; ++k) {
            const known_byte& b = bytes[at + k];
            before[k] = t.is_response_ok() ? a.before[k] : b.one;
            expect(b.fits(before[k]), t, "brings back what was not there");
            any = any || b.any || b.one != b.other;
        }
        const std::uint64_t x = after_atomic(a, number(before.data(), 8), number(t.data.data(), length),
                                             number(&t.data[t.data.size() - length], length));
        std::memcpy(now.data(), &x, 8);
        for (unsigned k = 0; k < length; ++k) {
            known_byte& b = bytes[at + k];
            if (t.is_response_ok()) {
                b = {now[k], now[k], false};
            } else {
                b.any = any;
                b.other = now[k];
            }
        }
    }
    /// Where each byte of its data goes: some of them to the same place.
    static std::vector<std::uint64_t> places_of(const transaction& t) {
        if (const auto* burst = t.get_extension<axi::extension>()) return addresses_of(*burst, t.number);
        std::vector<std::uint64_t> all;
        for (unsigned k = 0; k < t.data.size(); ++k) all.push_back(t.number + k % t.get_streaming_width());
        return all;
    }
    void judge_data(const transaction& t) {
        const std::vector<std::uint64_t> places = places_of(t);
        const bool again = std::set<std::uint64_t>(places.begin(), places.end()).size() != places.size();
        expect(places.size() == t.data.size(), t, "has another length");
        for (unsigned k = 0; k < t.data.size(); ++k) {
            if (t.get_byte_enable_ptr() != nullptr && t.enables[k % t.enables.size()] != TLM_BYTE_ENABLED)
                continue;
            if (t.is_response_ok())
                see_or_store(t, places[k], t.data[k]);
            else if (t.is_write())
                perhaps_store(places[k], t.data[k], again);
        }
    }
    /// A byte at `at` is read or written by something that is done.
    void see_or_store(const transaction& t, std::uint64_t at, unsigned char now) {
        expect(t.is_write() || bytes[at].fits(now), t, "reads what was never written");
        bytes[at] = {now, now, false};
    }
    void perhaps_store(std::uint64_t at, unsigned char now, bool one_of_several) {
        known_byte& b = bytes[at];
        b.any = b.any || b.one != b.other || one_of_several;
        b.other = now;
    }

    /// Of one that is over.
    void judge(const transaction& t) {
        ++judged;
        failed += !t.is_response_ok();
        expect(times_fit(t, t.made, t.answered), t, "has times that do not add up");
        const bool refused = is_exclusive(t) && t.is_response_ok() && !was_let_through(t);
        exclusives += is_exclusive(t) && t.is_write() && was_let_through(t);
        atomics += atomic_of(t) != nullptr;
        if (atomic_of(t) != nullptr)
            t.number == counter ? judge_counter(t) : judge_atomic(t);
        else if (t.is_read() || !refused)
            judge_data(t);
    }
};

}  // namespace sare::test
