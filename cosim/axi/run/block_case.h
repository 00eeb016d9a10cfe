// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/random_nic.h"

#include <functional>
#include <optional>

namespace sare::axi {

/// What there is beside routers: AXI bridges at both ends of a network, or a NIC.
enum class block_kind { bridges, nic };

/// Blocks of one kind under random traffic: drawn, or what a failing one is shrunk to. It is kept as YAML,
/// which `sare cosim` runs.
struct block_case {
    block_kind of = block_kind::bridges;
    std::uint64_t seed = 1;        ///< of the traffic
    std::uint64_t cycles = 20000;  ///< of traffic
    bridge_setting bridges;
    nic_setting nic;

    static config::schema<block_case> fields();
};

block_case draw_block(block_kind of, std::uint64_t seed, std::uint64_t cycles);
/// Seed and cycles are those of the case.
random_outcome run(const block_case& c, random_run how);

/// Its parameters, "name=value ...".
std::string parameters_of(const block_case& c);
/// YAML: a map with the one section `block_case`; what is by default is left out.
std::string text(const block_case& c);
/// Of such a map, throws config::error.
block_case read_block_case(const config::value& document);
/// A GoogleTest that needs no other file: it fails while model and RTL differ.
std::string test_text(const block_case& c, const std::string& name, const std::string& why);
/// What such a test asks for: what differs; "" if nothing does.
std::string difference(const std::string& yaml);

/// What a failing case has come down to.
struct shrunk_block {
    block_case smallest;
    std::string problem;
    std::uint64_t cycles = 0;  ///< until it differs
    std::uint32_t builds = 0, runs = 0;
    bool complete = false;  ///< nothing more can be made simpler; else the time was over
};

/// Reduces a failing case to the simplest parameters that still fail and, of some seeds, to the one that does
/// so soonest, in about so many seconds. With time enough the same case gives the same one. Nothing if it
/// does not fail with RTL that is compiled quickly.
std::optional<shrunk_block> shrink(const block_case& failing, const std::string& sources, double seconds);

}  // namespace sare::axi
