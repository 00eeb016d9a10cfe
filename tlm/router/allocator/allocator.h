// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/base/ids.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <string_view>

/// Allocators: each matches rows that ask with columns, so that a row gets at most one column, and a column
/// goes to at most one row (Dally & Towles, ch. 19). A policy is one file here, or in a plugin, which
/// registers it by name. The policies that routers compile in are templates of the problem that they solve.
/// For all others the router states the problem as an `allocation`.
namespace sare {

/// Problem that an allocator solves in a cycle: rows that ask are matched with columns. A row has up to 64
/// choices, numbered from 0, each of which leads to a column. In a VC allocator rows are input VCs, choices
/// are the VCs of the output port for which a row asks, and columns are output VCs. In a switch allocator
/// rows are inputs of the crossbar, choices are the VCs at such an input, and columns are outputs of the
/// crossbar.
class allocation {
  public:
    virtual ~allocation() = default;
    virtual std::uint32_t rows() const = 0;     ///< number of rows, which are numbered from 0
    virtual std::uint32_t columns() const = 0;  ///< number of columns, which are numbered from 0
    /// Returns the current cycle, for policies in which priorities rotate.
    virtual std::uint64_t cycle() const = 0;
    /// Returns the choices that row `row` asks for, as a mask (bit c: choice c); 0: it asks for nothing.
    virtual vc_mask choices(std::uint32_t row) const = 0;
    /// Returns the column that `choice`, a member of choices(row), leads to.
    virtual std::uint32_t column(std::uint32_t row, std::uint32_t choice) const = 0;
    /// Returns the choice that the arbiter of row `row` picks from `choices`, a part of choices(row), not 0.
    virtual std::uint32_t pick(std::uint32_t row, vc_mask choices) const = 0;
    /// True if the arbiter of `column` prefers row `challenger` to row `holder`, which has the lower number.
    /// Both rows must ask for the column.
    virtual bool beats(std::uint32_t column, std::uint32_t challenger, std::uint32_t holder) const = 0;
    /// Gives row `row` the column that `choice` leads to, and tells the arbiters of row and column that they
    /// have served. Call it at most once for each row and for each column.
    virtual void grant(std::uint32_t row, std::uint32_t choice) = 0;
};

/// An allocation policy, which grants columns to the rows of a problem.
class allocator {
  public:
    /// Word for such a policy in messages to users; name of the policy that is the default.
    static constexpr const char *kind = "allocator", *usual = "input_first";

    virtual ~allocator() = default;
    /// Solves problem `a`: calls a.grant() once for each row that gets a column, never if no row asks.
    virtual void run(allocation& a) const = 0;
};

using allocator_registry = config::registry<allocator>;  ///< registry of the allocation policies, by name

/// Registers a policy without parameters: define a constant of this type. `Policy` must have a default
/// constructor and run(allocation&).
template <class Policy>
class allocator_registration {
  public:
    /// `name`: name of the policy in configurations; `sentence`: its description for users.
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
