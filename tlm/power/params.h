// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/power/table/table_shelf.h"

#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Lengths of links: the section `power.links`.
struct link_length_params {
    /// Length in mm of a link between neighbouring routers; other links are longer as in the topology's
    /// picture (see floorplan).
    double pitch = 1;
    double node_link = 0;                             ///< length of the link of a node in mm
    config::value lengths = config::value::list({});  ///< links with other lengths, list of link_length

    static config::schema<link_length_params> fields();
};

/// An entry of `lengths`: links with a length of their own. Exactly one of `between` and `node` is given, as
/// read() checks.
struct link_length {
    /// Numbers of two routers: all links between them, in both directions; empty: not given.
    std::vector<std::uint32_t> between;
    config::number_set node;  ///< nodes: the links to and from their routers; empty: not given
    double length = 0;        ///< length of each of these links in mm
    config::location at;      ///< place of the entry, for error messages

    static config::schema<link_length> fields();
    /// Returns the entries of `lengths`; none if `list` is null. Throws config::error for an entry that names
    /// neither two routers nor nodes, or both.
    static std::vector<link_length> read(const config::value& list);
};

/// Parameters of the AXI bridges, the same for all: the section `power.bridge`.
struct bridge_params {
    std::uint32_t data_width = 0;  ///< bits of a beat, a power of 2 from 8 to 1024; 0: chosen by data_bits()
    std::uint32_t id_width = 4;    ///< bits of a manager's IDs, 1 to 16
    std::uint32_t transactions = 8;  ///< most reads under way at once in a bridge, and most writes, 1 to 64
    std::uint32_t beats = 16;  ///< capacity of a bridge's buffer for reads, and for writes, 1 to 1024 beats

    static config::schema<bridge_params> fields();
    /// Returns the bits of a beat: data_width, or if that is 0 the largest power of 2 from 32 to 512 that is
    /// not above `flit_bits` (32 if none is).
    std::uint32_t data_bits(std::uint32_t flit_bits) const;
};

/// Costs of routers that go off (`router.wake`): the section `power.gating`.
struct gating_params {
    double leakage = 0;  ///< share of its leakage that a router keeps while it is off, 0 to 1
    /// Energy of going off and waking, in network cycles off whose saved leakage equals it.
    double break_even = 10;

    static config::schema<gating_params> fields();
};

/// The section `power`: parameters for the energies of a run, computed from tables of what events cost.
struct power_params : section_part_of<power_params> {
    /// Names or files of cost tables, of which the first that fits a block counts; empty: none is used.
    std::vector<std::string> table;
    /// Frequency of the network's clock, "500MHz"; "fastest": as all blocks allow; "": by clock_period.
    std::string frequency;
    /// Share of a flit's bits that differ from the flit before: "random" (half), "zero" (none), "alternating"
    /// (all), a number from 0 to 1, or "trace": measured in data_file.
    std::string data = "random";
    std::string data_file;  ///< file for `data: trace`, whose bytes stand for data that is sent flit by flit
    /// True: a clock that is faster than the tables allow is taken as it is; false: such a clock is an error.
    bool overclock = false;
    double voltage = 0;       ///< supply voltage in V; 0: as in the first table that gives one
    std::uint32_t width = 0;  ///< bits of a flit; 0: 8 * nic.flit_bytes
    /// Number of bits of a head flit that are no data: half of them toggle, whatever `data` is.
    std::uint32_t header_bits = 0;
    bool clock_gating = false;    ///< true: registers of routers get a clock only when they load
    bool memory_buffers = false;  ///< true: input buffers of routers are memories
    /// Places of all VCs of an input port from which its buffer is a memory in any case; 0: never.
    std::uint32_t memory_from = 0;
    bool glitches = false;  ///< true: multiply the dynamic energy of routers by the table's glitch_factor
    /// True: count how flits follow one another in all routers and cycles; false: in long runs in samples
    /// (switch_samples).
    bool exact = false;
    gating_params gating;      ///< costs of routers that go off
    link_length_params links;  ///< lengths of links
    /// Nodes with an AXI bridge to a manager; nodes with a bridge to a subordinate.
    config::number_set bridges, memory_bridges;
    bridge_params bridge;  ///< parameters of these bridges
    /// Network cycles of an interval of power over time at first; doubled each time `intervals` are reached.
    std::uint64_t interval = 1000;
    std::uint32_t intervals = 200;  ///< most intervals of power over time

    static config::schema<power_params> fields();
    /// Checks the section and reads its tables; `section` null: the section was left out. Throws
    /// config::error for a wrong value.
    void check(const config::value* section) override;
    std::string needs_routers() const override {
        return table.empty() ? "" : "'power' counts flits in routers,";
    }
    bool is_of_runs() const override { return true; }
    std::vector<config::value> statistics() const override;  ///< "power" if there are tables
    /// Takes over the tables that `known`, a power_params (not checked), has read. Call before check().
    void share(const section_part& known) override;
    double clock_hertz() const override;  ///< frequency in Hz; 0: not given; infinity: "fastest"

    /// Returns the tables that the section names, which check() has read. Throws config::error at `from` if
    /// it names none.
    const table_shelf::tables& tables(const config::location& from) const;
    /// Returns the share of the `bits` bits of a flit that differ from the flit before, in [0, 1], by the
    /// rule `data`; 0 for a data_file of less than two flits. Throws config::error at `from` for an unknown
    /// rule, or a file that cannot be read.
    double activity(const config::location& from, std::uint32_t bits) const;
    /// Returns the clock frequency in Hz by `frequency`. `clock_seconds`: clock period in s, for frequency
    /// "", and for "fastest" if `least` is 0; `least`: shortest period in ns that all blocks reach, 0:
    /// unknown.
    double hertz(double clock_seconds, double least) const;
    /// Returns `hertz`. Throws config::error, placed at `frequency`, if a period of `hertz` Hz is shorter
    /// than `least` ns, unless `overclock` is set. `slowest`: block that needs `least`, in words; `from`:
    /// place of the section, for an error if `frequency` was left out.
    double reachable(double hertz, double least, const std::string& slowest,
                     const config::location& from) const;
    /// Throws config::error at `from` if a table that was read does not give its own voltage, or if its gates
    /// do not switch at `volts` V. `key`: key of the voltage in the configuration, for the message.
    void check_voltage(double volts, const std::string& key, const config::location& from) const;
    /// Returns the path of data_file, which need not exist; a relative one is taken from the folder of the
    /// configuration. Throws config::error at `from` if data_file is "".
    std::string find_data_file(const config::location& from) const;
    /// Throws config::error for "fastest". Call if the clock of the section `domains.DOMAIN` is given in Hz.
    void check_beside(const std::string& domain) const;
    bool runs_at_fastest() const { return frequency == "fastest"; }  ///< true: `frequency` is "fastest"

  private:
    void find_tables();  ///< reads the tables into m_tables

    config::location m_frequency_at;  ///< place of `frequency`; unknown if it was left out

    /// Tables read so far, shared by all points of a sweep.
    std::shared_ptr<table_shelf> m_shelf = std::make_shared<table_shelf>();
    table_shelf::tables m_tables;  ///< tables of `table`, in its order
};

}  // namespace sare
