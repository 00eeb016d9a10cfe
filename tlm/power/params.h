// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/power/table/table_shelf.h"

#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Lengths of links, for their energies.
struct link_length_params {
    double pitch = 1, node_link = 0;  ///< mm
    config::value lengths = config::value::list({});

    static config::schema<link_length_params> fields();
};

/// Links that have a length of their own.
struct link_length {
    std::vector<std::uint32_t> between;  ///< two routers, both ways
    config::number_set node;             ///< or nodes, both ways
    double length = 0;                   ///< mm
    config::location at;

    static config::schema<link_length> fields();
    static std::vector<link_length> read(const config::value& list);
};

/// Bridges to AXI, all alike.
struct bridge_params {
    std::uint32_t data_width = 0, id_width = 4, transactions = 8, beats = 16;

    static config::schema<bridge_params> fields();
    /// Bits of a beat, in flits of so many.
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

    /// Those that it names, as check() has found them. Throws config::error at `from` if it names none.
    const table_shelf::tables& tables(const config::location& from) const;
    /// Bits that toggle, of the `bits` of a flit: their share.
    double activity(const config::location& from, std::uint32_t bits) const;
    /// Hz, of a clock of such a period, for blocks that need `least` ns.
    double hertz(double clock_seconds, double least) const;
    /// The file of `data: trace`. Throws config::error.
    std::string find_data_file(const config::location& from) const;
    /// What names of files are relative to: where the folder is not known, that of `from.file`.
    std::string home(const config::location& from) const;
    bool runs_at_fastest() const { return frequency == "fastest"; }

  private:
    void find_tables();

    std::shared_ptr<table_shelf> m_shelf = std::make_shared<table_shelf>();  ///< of all points of a sweep
    table_shelf::tables m_tables;
};

}  // namespace sare
