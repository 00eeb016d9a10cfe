// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Random numbers that are the same on every machine: PCG32 streams (M. O'Neill, "PCG: A Family of Simple
/// Fast Space-Efficient Statistically Good Algorithms", 2014), one for each seed, purpose and node, with
/// distributions of Sare's own, as those of the standard library differ between implementations.
namespace sare {

/// Purpose of a stream of random numbers: a node has a stream of its own for each purpose.
enum class stream : std::uint32_t {
    arrival = 1,    ///< times at which a node makes packets, messages or jobs
    packet = 2,     ///< destinations and lengths of the packets of a node
    routing = 3,    ///< routes drawn at a node's NIC or in a router, and random arbiters
    placement = 4,  ///< nodes on which tasks run
    workload = 5,   ///< all other choices of a workload
    test = 6,       ///< tests and tools, apart from the traffic of a run
    failure = 7,    ///< choice of the links that fail
    error = 8       ///< bit errors of a link
};

/// A stream of random numbers.
class rng {
  public:
    /// Begins the stream of tests, number 0, under seed 0.
    rng() : rng(0, stream::test, 0) {}
    /// Begins the stream of `purpose` and number `node` under `seed`. `node` is the number of a node, link or
    /// other thing that draws.
    rng(std::uint64_t seed, stream purpose, std::uint64_t node) {
        m_increment = (mix(node * 16 + static_cast<std::uint64_t>(purpose)) << 1) | 1;
        m_state = mix(seed + m_increment) + m_increment;
        next();
    }

    /// Returns the next 32 uniform random bits.
    std::uint32_t next() {
        const std::uint64_t old = m_state;
        m_state = old * 6364136223846793005ULL + m_increment;
        const auto xorshifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const auto rot = static_cast<std::uint32_t>(old >> 59);
        return (xorshifted >> rot) | (xorshifted << ((32 - rot) & 31));
    }

    /// Returns a whole number that is uniform in [0, n); 0 if n is 0. The bias of multiply-shift, below n /
    /// 2^32, is accepted.
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * n) >> 32);
    }

    /// Returns a multiple of 2^-32 that is uniform in [0, 1).
    double uniform() { return next() * (1.0 / 4294967296.0); }

    /// Returns true with probability `p`; never for 0 or less, always for 1 or more.
    bool bernoulli(double p) { return uniform() < p; }

    friend bool operator==(const rng& a, const rng& b) {
        return a.m_state == b.m_state && a.m_increment == b.m_increment;
    }

  private:
    /// Returns a hash of `z` (SplitMix64), so that neighbouring seeds give unlike streams.
    static std::uint64_t mix(std::uint64_t z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t m_state = 0;      ///< state of PCG32
    std::uint64_t m_increment = 1;  ///< number of the stream: odd
};

}  // namespace sare
