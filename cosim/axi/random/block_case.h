// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/random_nic.h"

#include <functional>
#include <optional>

namespace sare::axi {

/// Kind of the blocks under test: AXI bridges at both ends of a network, or a NIC.
enum class block_kind { bridges, nic };

/// Blocks of one kind under random traffic: drawn, or shrunk from a failing case. A block_case is stored as
/// YAML, which `sare cosim` runs.
struct block_case {
    block_kind of = block_kind::bridges;
    std::uint64_t seed = 1;        ///< seed of the traffic
    std::uint64_t cycles = 20000;  ///< cycles of traffic
    bridge_setting bridges;        ///< parameters, only of block_kind::bridges
    nic_setting nic;               ///< parameters, only of block_kind::nic

    static config::schema<block_case> fields();
};

/// Draws the parameters of a case. The same seed gives the same ones on every machine.
block_case draw_block(block_kind of, std::uint64_t seed, std::uint64_t cycles);
/// Runs a case with the case's seed and cycles; the seed and cycles of `how` are not used.
random_outcome run(const block_case& c, random_run how);

/// Returns the parameters of the blocks as "name=value ...".
std::string parameters_of(const block_case& c);
/// Returns a case as YAML: a map with the one section `block_case`, without defaults.
std::string text(const block_case& c);
/// Reads a map that text() has written. Throws config::error for another one.
block_case read_block_case(const config::value& document);
/// Returns C++: the GoogleTest `name`, with the comment `why`. It needs no other file, and fails while model
/// and RTL differ.
std::string test_text(const block_case& c, const std::string& name, const std::string& why);
/// Runs a case in YAML, for the tests of test_text(). Returns what is wrong; "" if nothing is.
std::string difference(const std::string& yaml);

/// Result of shrinking a failing case.
struct shrunk_block {
    block_case smallest;
    std::string problem;                 ///< what is wrong in the smallest case
    std::uint64_t cycles = 0;            ///< cycle in which it fails
    std::uint32_t builds = 0, runs = 0;  ///< numbers of libraries asked for, and of runs
    bool complete = false;               ///< true: nothing more can be made simpler; false: the time was over
};

/// Reduces a failing case to the simplest parameters that still fail and, among some seeds, the one that
/// fails soonest, in about `seconds` seconds. `sources`: see rtl_request. With enough time the result is
/// always the same. Returns nothing if the case does not fail with RTL of rtl_speed::quick.
std::optional<shrunk_block> shrink(const block_case& failing, const std::string& sources, double seconds);

}  // namespace sare::axi
