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
    /// Mm from a router to its nearest neighbours; longer links as in the picture of the topology.
    double pitch = 1;
    double node_link = 0;                             ///< mm from a node to its router
    config::value lengths = config::value::list({});  ///< links with other lengths, list of link_length

    static config::schema<link_length_params> fields();
};

/// An entry of `lengths`: links with a length of their own. Exactly one of `between` and `node` is given.
struct link_length {
    /// Numbers of two routers: all links between them, in both directions; empty: not given.
    std::vector<std::uint32_t> between;
    config::number_set node;  ///< nodes: the links to and from their routers; empty: not given
    double length = 0;        ///< mm of each of these links
    config::location at;      ///< place of the entry, for error messages

    static config::schema<link_length> fields();
    /// Returns the entries of `lengths`; none if `list` is null. Throws config::error for an entry that names
    /// neither two routers nor nodes, or both.
    static std::vector<link_length> read(const config::value& list);
};

/// Parameters of the AXI bridges, the same for all: the section `power.bridge`.
struct bridge_params {
    std::uint32_t data_width = 0;  ///< bits of a beat, a power of 2 from 8 to 1024; 0: chosen by data_bits()
    std::uint32_t id_width = 4;    ///< bits of a manager's IDs
    std::uint32_t transactions = 8;  ///< most reads under way at once, and most writes
    std::uint32_t beats = 16;  ///< beats of data that the buffer for reads holds, and the buffer for writes

    static config::schema<bridge_params> fields();
    /// Returns the bits of a beat: data_width, or if that is 0 the largest power of 2 from 32 to 512 that is
    /// not above `flit_bits` (32 if none is).
    std::uint32_t data_bits(std::uint32_t flit_bits) const;
};

/// What routers cost that go off (`router.wake`): the section `power.gating`.
struct gating_params {
    double leakage = 0;      ///< share of its leakage that a router keeps while it is off
    double break_even = 10;  ///< cycles of the leakage saved that going off and waking cost

    static config::schema<gating_params> fields();
};

/// The section `power`: energies of a run, from a table of what events cost.
struct power_params : section_part_of<power_params> {
    /// Names or files of cost tables, the first that fits a block counts; empty: power is not calculated.
    std::vector<std::string> table;
    /// Clock frequency, "500MHz"; "fastest": what the slowest block can reach; "": that of clock_period.
    std::string frequency;
    /// Bits of a flit that differ from the flit before: "random" (half), "zero" (none), "alternating" (all),
    /// a share from 0 to 1, or "trace": as in data_file.
    std::string data = "random";
    std::string data_file;  ///< file for `data: trace`, whose bytes stand for data that is sent flit by flit
    /// True: a clock that is faster than the table allows is taken as it is; false: it is an error.
    bool overclock = false;
    double voltage = 0;       ///< supply voltage in V; 0: that of the first table that says it
    std::uint32_t width = 0;  ///< bits of a flit; 0: 8 * nic.flit_bytes
    /// Bits of a head flit that are no data: half of them toggle, whatever `data` is.
    std::uint32_t header_bits = 0;
    bool clock_gating = false;    ///< true: registers of routers get a clock only when they load
    bool memory_buffers = false;  ///< true: input buffers of routers are memories
    bool glitches = false;  ///< true: multiply the dynamic energy of routers by the table's glitch_factor
    /// True: count how flits follow one another in all routers and cycles; false: in long runs in samples
    /// (switch_samples).
    bool exact = false;
    gating_params gating;      ///< routers that go off
    link_length_params links;  ///< lengths of links
    /// Nodes with an AXI bridge to a manager; nodes with one to a subordinate.
    config::number_set bridges, memory_bridges;
    bridge_params bridge;  ///< parameters of these bridges
    /// Cycles of an interval of power over time at first; doubled when there would be more than `intervals`.
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
    std::vector<config::value> statistics() const override;
    void share(const section_part& known) override;
    double clock_hertz() const override;

    /// Returns the tables that the section names, which check() has read. Throws config::error at `from` if
    /// it names none.
    const table_shelf::tables& tables(const config::location& from) const;
    /// Returns the share of the `bits` bits of a flit that differ from the flit before, in [0, 1], by the
    /// rule `data`. Throws config::error at `from` for an unknown rule, or a file that cannot be read.
    double activity(const config::location& from, std::uint32_t bits) const;
    /// Returns the clock frequency in Hz by `frequency`. `clock_seconds`: clock period in s, for frequency
    /// ""; `least`: shortest period in ns that all blocks reach, for "fastest"; with 0, unknown,
    /// clock_seconds counts.
    double hertz(double clock_seconds, double least) const;
    /// Returns `hertz`. Throws config::error, placed at `frequency`, if no clock of the period `least`, in
    /// ns, can be so fast, unless `overclock` is set. `slowest`: block that needs this period, in words;
    /// `from`: place of the section, for a section that check() has not seen.
    double reachable(double hertz, double least, const std::string& slowest,
                     const config::location& from) const;
    /// Throws config::error at `from` if a table has nothing for a supply of `volts` V. `key`: key of the
    /// voltage in the configuration, for the message.
    void check_voltage(double volts, const std::string& key, const config::location& from) const;
    /// Returns the path of data_file. Throws config::error at `from` if data_file is "".
    std::string find_data_file(const config::location& from) const;
    /// Throws config::error for "fastest", in a network in which the clock of `domain` is in Hz.
    void check_beside(const std::string& domain) const;
    bool runs_at_fastest() const { return frequency == "fastest"; }

  private:
    void find_tables();

    config::location m_frequency_at;  ///< place of `frequency`; unknown if it was left out

    /// Tables read so far, shared by all points of a sweep.
    std::shared_ptr<table_shelf> m_shelf = std::make_shared<table_shelf>();
    table_shelf::tables m_tables;
};

}  // namespace sare
