// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/random_nic.h"

#include <functional>
#include <optional>

namespace sare::axi {

/// Kind of the blocks under test: AXI bridges at both ends of a network, or a NIC.
enum class block_kind { bridges, nic };

/// Blocks of one kind under random traffic: drawn, or shrunk from a failing case. It is stored as YAML, which
/// `sare cosim` runs.
struct block_case {
    block_kind of = block_kind::bridges;
    std::uint64_t seed = 1;        ///< seed of the traffic
    std::uint64_t cycles = 20000;  ///< cycles of traffic
    bridge_setting bridges;
    nic_setting nic;

    static config::schema<block_case> fields();
};

block_case draw_block(block_kind of, std::uint64_t seed, std::uint64_t cycles);
/// Runs a case, with its seed and cycles.
random_outcome run(const block_case& c, random_run how);

/// Returns its parameters as "name=value ...".
std::string parameters_of(const block_case& c);
/// Returns YAML: a map with the one section `block_case`, without defaults.
std::string text(const block_case& c);
/// Reads such a map. Throws config::error.
block_case read_block_case(const config::value& document);
/// Returns a GoogleTest that needs no other file, and fails while model and RTL differ.
std::string test_text(const block_case& c, const std::string& name, const std::string& why);
/// Called by such a test. Returns what differs; "" if nothing does.
std::string difference(const std::string& yaml);

/// Result of shrinking a failing case.
struct shrunk_block {
    block_case smallest;
    std::string problem;
    std::uint64_t cycles = 0;  ///< cycle in which it differs
    std::uint32_t builds = 0, runs = 0;
    bool complete = false;  ///< true: nothing more can be made simpler; false: the time was over
};

/// Reduces a failing case to the simplest parameters that still fail and, among some seeds, the one that
/// fails soonest, in about `seconds`. With enough time the result is always the same. Nothing if the case
/// does not fail with RTL compiled fast.
std::optional<shrunk_block> shrink(const block_case& failing, const std::string& sources, double seconds);

}  // namespace sare::axi
