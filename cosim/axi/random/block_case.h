// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/random_nic.h"

#include <functional>
#include <optional>

namespace sare::axi {

/// Kind of the blocks under test: AXI bridges at both ends of a network; or the NIC of an AXI node.
enum class block_kind { bridges, nic };

/// A test of blocks of one kind under random traffic, drawn by a seed or reduced from a failing one. It is
/// stored as YAML, which `sare cosim` runs.
struct block_case {
    block_kind of = block_kind::bridges;  ///< kind of the blocks
    std::uint64_t seed = 1;               ///< seed of the traffic
    /// Number of cycles in which traffic is offered. Bridges are then run until all transactions have ended;
    /// a NIC is not.
    std::uint64_t cycles = 20000;
    bridge_setting bridges;  ///< parameters of the bridges; used only for block_kind::bridges
    nic_setting nic;         ///< parameters of the NIC; used only for block_kind::nic

    /// Returns the schema of a case.
    static config::schema<block_case> fields();
};

/// Returns a case with random parameters. The same arguments give the same case on every machine.
block_case draw_block(block_kind of, std::uint64_t seed, std::uint64_t cycles);
/// Runs case `c` with its own seed and cycles. `how`: options of building and running the RTL; its seed and
/// cycles are not used.
random_outcome run(const block_case& c, random_run how);

/// Returns all parameters of the blocks, defaults included, as text: "name=value name=value".
std::string parameters_of(const block_case& c);
/// Returns a case as YAML: a map with one key, `block_case`, without parameters that have their default.
std::string text(const block_case& c);
/// Returns the case in a map such as text() makes; parameters that it leaves out have their defaults. Throws
/// config::error if it is malformed.
block_case read_block_case(const config::value& document);
/// Returns the C++ text of a GoogleTest with the name `name` and the comment `why`, which fails as long as
/// model and RTL differ in the case. The test contains the case.
std::string test_text(const block_case& c, const std::string& name, const std::string& why);
/// Runs a case given as YAML, for the tests that test_text() makes. Returns the first difference or problem
/// (random_outcome::wrong()), as a line; empty if there is none. Throws config::error for malformed YAML.
std::string difference(const std::string& yaml);

/// The simplest case to which a failing one was reduced.
struct shrunk_block {
    block_case smallest;                 ///< the simplest case that was found to fail
    std::string problem;                 ///< difference or problem of `smallest`, as a line
    std::uint64_t cycles = 0;            ///< cycle in which `smallest` fails
    std::uint32_t builds = 0, runs = 0;  ///< number of libraries asked for, and of runs
    bool complete = false;               ///< true: nothing more can be made simpler; false: the time was up
};

/// Reduces a failing case, in about `seconds` seconds of real time, to the simplest parameters that still
/// fail, and then to the one of seeds 1 to 60 that fails soonest. `sources`: rtl_request::sources. With
/// enough time the result is always the same. Returns nothing if the case does not fail with RTL compiled by
/// rtl_speed::quick.
std::optional<shrunk_block> shrink(const block_case& failing, const std::string& sources, double seconds);

}  // namespace sare::axi
