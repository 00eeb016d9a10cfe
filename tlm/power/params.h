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
    double pitch = 1, node_link = 0;  ///< mm
    config::value lengths = config::value::list({});

    static config::schema<link_length_params> fields();
};

/// An entry of `lengths`: links with a length of their own.
struct link_length {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both ways
    config::number_set node;             ///< or nodes: their links, both ways
    double length = 0;                   ///< mm
    config::location at;

    static config::schema<link_length> fields();
    static std::vector<link_length> read(const config::value& list);
};

/// Parameters of the bridges to AXI, which are all alike.
struct bridge_params {
    std::uint32_t data_width = 0, id_width = 4, transactions = 8, beats = 16;

    static config::schema<bridge_params> fields();
    /// Bits of a beat; the default is `flit_bits`.
    std::uint32_t data_bits(std::uint32_t flit_bits) const;
};

/// The section `power`: energies from a table, for the events of a run.
struct power_params : section_part_of<power_params> {
    std::vector<std::string> table;
    std::string frequency, data = "random", data_file;
    double voltage = 0;
    std::uint32_t width = 0, header_bits = 0;
    bool clock_gating = false, memory_buffers = false, glitches = false, exact = false;
    link_length_params links;
    config::number_set bridges, memory_bridges;
    bridge_params bridge;
    std::uint64_t interval = 1000;
    std::uint32_t intervals = 200;

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
    /// Share of the `bits` of a flit that toggle, in [0, 1], by `data`. Throws config::error.
    double activity(const config::location& from, std::uint32_t bits) const;
    /// Clock frequency in Hz: `frequency` (fastest: shortest period, `least` ns), else by `clock_seconds`.
    double hertz(double clock_seconds, double least) const;
    /// Returns the file of `data: trace`. Throws config::error.
    std::string find_data_file(const config::location& from) const;
    /// Returns the folder that file names are relative to; if it is unknown, that of `from.file`.
    std::string home(const config::location& from) const;
    bool runs_at_fastest() const { return frequency == "fastest"; }

  private:
    void find_tables();

    std::shared_ptr<table_shelf> m_shelf = std::make_shared<table_shelf>();  ///< for all points of a sweep
    table_shelf::tables m_tables;
};

}  // namespace sare
