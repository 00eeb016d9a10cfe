// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/power/table/table_shelf.h"

#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Lengths of links.
struct link_length_params {
    double pitch = 1;                                 ///< mm from a router to its nearest neighbours
    double node_link = 0;                             ///< mm from a node to its router
    config::value lengths = config::value::list({});  ///< list of link_length

    static config::schema<link_length_params> fields();
};

/// An entry of `lengths`: links with a length of their own.
struct link_length {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both ways
    config::number_set node;             ///< or nodes: the links with their routers, both ways
    double length = 0;                   ///< mm of each of these links
    config::location at;                 ///< place of the entry

    static config::schema<link_length> fields();
    /// Reads the entries. Throws config::error for one that names neither two routers nor nodes, or both.
    static std::vector<link_length> read(const config::value& list);
};

/// Parameters of the bridges to AXI, which are all alike.
struct bridge_params {
    std::uint32_t data_width = 0;    ///< bits of a beat, a power of 2 from 8 to 1024; 0: see data_bits()
    std::uint32_t id_width = 4;      ///< bits of a manager's IDs
    std::uint32_t transactions = 8;  ///< number of reads at once, and of writes at once
    std::uint32_t beats = 16;        ///< number of beats that buffers hold, for reads and for writes

    static config::schema<bridge_params> fields();
    /// Returns the bits of a beat: data_width, or if that is 0 the largest power of 2 from 32 to 512 that is
    /// not above `flit_bits` (32 if none is).
    std::uint32_t data_bits(std::uint32_t flit_bits) const;
};

/// The section `power`: energies from a table, for the events of a run.
struct power_params : section_part_of<power_params> {
    std::vector<std::string> table;  ///< names or files of cost tables; empty: power is not calculated
    std::string frequency;           ///< "500MHz", "fastest", or "" for clock_period: see hertz()
    std::string data = "random";     ///< rule for the bits that toggle: see activity()
    std::string data_file;           ///< file for `data: trace`, whose bytes are sent flit by flit
    double voltage = 0;              ///< V; 0: voltage of the table
    std::uint32_t width = 0;         ///< bits of a flit; 0: 8 * nic.flit_bytes
    std::uint32_t header_bits = 0;   ///< bits of a head flit that are no data: half of them toggle
    bool clock_gating = false;       ///< routers have registers that get a clock only to load
    bool memory_buffers = false;     ///< routers have buffers that are memories
    bool glitches = false;           ///< multiply dynamic energy of routers by the table's glitch_factor
    bool exact = false;              ///< see switch_samples::exact()
    link_length_params links;
    config::number_set bridges, memory_bridges;  ///< nodes with an AXI bridge to a manager; to a subordinate
    bridge_params bridge;
    std::uint64_t interval = 1000;  ///< cycles of an interval of power over time; doubled as needed
    std::uint32_t intervals = 200;  ///< most intervals of power over time

    static config::schema<power_params> fields();
    void check(const config::value* section) override;
    std::string needs_routers() const override {
        return table.empty() ? "" : "'power' counts flits in routers,";
    }
    bool is_of_runs() const override { return true; }
    std::vector<config::value> statistics() const override;
    void share(const section_part& known) override;

    /// The tables that the section names, read by check(). Throws config::error at `from` if it names none.
    const table_shelf::tables& tables(const config::location& from) const;
    /// Returns the share of the `bits` bits of a flit that toggle from flit to flit, in [0, 1], by the rule
    /// `data`. Throws config::error at `from` for an unknown rule, or a file that cannot be read.
    double activity(const config::location& from, std::uint32_t bits) const;
    /// Returns the clock frequency in Hz by `frequency`. `clock_seconds`: clock period for frequency "";
    /// `least`: shortest period in ns, for "fastest".
    double hertz(double clock_seconds, double least) const;
    /// Returns the path of data_file. Throws config::error at `from` if none is named.
    std::string find_data_file(const config::location& from) const;
    /// Returns the folder that file names are relative to; if it is unknown, the folder of the file
    /// `from.file`.
    std::string home(const config::location& from) const;
    bool runs_at_fastest() const { return frequency == "fastest"; }

  private:
    void find_tables();

    std::shared_ptr<table_shelf> m_shelf = std::make_shared<table_shelf>();  ///< for all points of a sweep
    table_shelf::tables m_tables;
};

}  // namespace sare
