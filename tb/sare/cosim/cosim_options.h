// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/random_case.h"
#include "tb/sare/adapter/new_adapter.h"
#include "tb/sare/run/input.h"
#include "tb/sare/runs/store_options.h"

namespace sare::cli {

class command_option;
class command_parser;

/// Options of `sare cosim` for routers, bridges and NICs that are drawn at random.
struct drawing_options {
    std::uint64_t shrink = 300;  ///< largest number of seconds to shrink one failing case; 0: none is shrunk
    std::string with;  ///< values that parameters of all random routers have, "NAME=VALUE,..."; "": all
                       ///< parameters are random
    /// Number of routers, bridges or NICs (`of`) with random parameters and random traffic; 0: none.
    std::size_t random = 0;
    std::uint32_t most_vcs = cosim::by_cost;  ///< largest number of ports x VCs of a random router
    std::string old_rtl;  ///< folder or library of older RTL that the RTL, random or not, is compared with;
                          ///< "": the model is used
    std::string of = "routers";  ///< kind of blocks that are drawn at random: "routers", "bridges" or "nics"
    bool steer = false;  ///< true: draws routers that can hit most holes of coverage, and implies `drain`
    bool drain = false;  ///< true: random traffic fills buffers and drains them, too
    bool pins = false;   ///< true: a router of one's own, at its pins; the file may be its library
};

/// Options of `sare cosim`.
struct cosim_options : drawing_options {
    input_options input;  ///< the experiment, or a case at the pins; without a file only random cases run
    std::uint64_t cycles = 50000;  ///< cycles of traffic of each run
    std::size_t seeds = 1;         ///< number of seeds, and so of runs, of the experiment
    std::size_t jobs = 1;          ///< largest number of processes at work
    std::string only;  ///< seeds that are run in place of those of `seeds` and `random`, "3,17"; "": all
    std::size_t stop_after = 0;     ///< number of failures (cases with a mismatch or an error) after which no
                                    ///< run begins; 0: no limit
    std::string journal;            ///< folder of a cosim_journal, which keeps results of cases; "": none
    std::string out;                ///< result directory; "": the first free one of out/cosim and out/cosim-N
    std::string speed = "checked";  ///< way of compiling RTL: quick, checked or fast
    std::string wave_format = "fst";  ///< format of the waves of `window`: fst, vcd or saif
    std::string window;  ///< cycles of which waves are written whether or not anything differs, "FROM:TO";
                         ///< "": none
    std::uint32_t router = 0;  ///< number of the router of a network whose waves `window` asks for
    /// Request for write_new_adapter(), and nothing else is done then; without files: none.
    adapter_request new_adapter;
    std::string assertions;  ///< library for print_assertions(), and nothing else is done then; "": none
    store_options store;     ///< store of runs in which the result is recorded
    std::uint64_t cpu_seconds = 0;     ///< processor time, in seconds, after which no run begins; 0: no limit
    std::vector<std::string> earlier;  ///< folders of earlier results whose coverage counts, too
    bool coverage = false;             ///< true: counts lines and toggles of the RTL
    bool no_waves = false;             ///< true: writes no waves of the first difference
    bool quiet = false;                ///< true: prints nothing but errors and the last line
    bool overwrite = false;            ///< true: an existing result may be replaced

    /// Declares the options.
    void add_to(command_parser& command);
    /// Throws usage_error if nothing is to be run, if an option is given that would be of no effect, or if a
    /// value is wrong; config::error as held() does; std::runtime_error if a program for `wave_format` is
    /// missing.
    void check() const;
    /// Throws usage_error for options that are of no effect if the file is one router at its pins.
    void check_pin_case() const;
    /// Throws usage_error for options that are of no effect with --pins.
    void check_pins() const;
    /// Throws usage_error for options that are of no effect if the file is a case of AXI bridges or of a NIC.
    void check_block_case() const;
    /// Returns the parameters of `with` as a map, for draw_case(); null if `with` is empty. Throws
    /// usage_error if it is malformed, and config::error for a parameter that sare_router does not have;
    /// values are not checked.
    config::value held() const;
    /// Returns true if the file is a library of a router, not an experiment.
    bool is_library() const;
    /// Returns the seeds of `only`, else `count` seeds from `first` on.
    std::vector<std::uint64_t> seeds_from(std::uint64_t first, std::size_t count) const;
    /// Returns `cycles` if --cycles was given, else `otherwise`.
    std::uint64_t cycles_of(std::uint64_t otherwise) const;
    /// Returns the first and last cycle of `window`, both from 1 on. Throws usage_error if it is malformed.
    std::pair<std::uint64_t, std::uint64_t> window_cycles() const;

  private:
    void add_adapter_to(command_parser& command);
    void add_random_to(command_parser& command);
    void add_coverage_to(command_parser& command);
    void add_output_to(command_parser& command);
    void check_without_routers(const std::string& what) const;

    /// Options whose use on the command line is checked. The lists have options with an effect only on random
    /// cases, on routers, on networks, on traffic that is not listed in a file, and on new adapters.
    struct known_options {
        std::vector<const command_option*> of_random, of_routers, of_networks, of_traffic, of_adapters;
        const command_option *cycles = nullptr, *seeds = nullptr, *router = nullptr, *wave_format = nullptr;
    } m_known;
};

}  // namespace sare::cli
