// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <string_view>

/// Allocators: each matches rows that ask with columns, so that each has one of the other at most (Dally &
/// Towles, ch. 19). A policy is one file here, or in a plugin, which registers it by name. Those that routers
/// compile in are templates of what they work on; the router says for which others it is an `allocation`.
namespace sare {

/// What there is to be allocated in a cycle. A row has up to 16 choices, of which each leads to a column; of
/// a VC allocator, rows are input VCs, choices the VCs of the port that one asks for, columns output VCs; of
/// a switch allocator, rows are inputs of the crossbar, choices the VCs there, columns outputs of the
/// crossbar.
class allocation {
  public:
    virtual ~allocation() = default;
    virtual std::uint32_t rows() const = 0;
    virtual std::uint32_t columns() const = 0;
    virtual std::uint64_t cycle() const = 0;
    virtual std::uint32_t choices(std::uint32_t row) const = 0;  ///< a set; 0: the row asks for nothing
    virtual std::uint32_t column(std::uint32_t row, std::uint32_t choice) const = 0;
    /// The choice that the row's arbiter picks.
    virtual std::uint32_t pick(std::uint32_t row, std::uint32_t choices) const = 0;
    /// Whether the column's arbiter has `challenger` before `holder` (< challenger).
    virtual bool beats(std::uint32_t column, std::uint32_t challenger, std::uint32_t holder) const = 0;
    /// The row has what it chose, and the arbiters of both have served; once a row, once a column.
    virtual void grant(std::uint32_t row, std::uint32_t choice) = 0;
};

/// A policy.
class allocator {
  public:
    static constexpr const char *kind = "allocator", *usual = "input_first";

    virtual ~allocator() = default;
    virtual void run(allocation& a) const = 0;
};

using allocator_registry = config::registry<allocator>;

/// Registers a policy without parameters, which has run().
template <class Policy>
class allocator_registration {
  public:
    allocator_registration(std::string_view name, std::string_view sentence)
        : m_registered(name, sentence, config::schema<config::no_parameters>(),
                       [](const config::no_parameters&, const config::value&) { return new made; }) {}

  private:
    struct made final : allocator {
        void run(allocation& a) const override { Policy().run(a); }
    };
    config::registration<allocator> m_registered;
};

}  // namespace sare
