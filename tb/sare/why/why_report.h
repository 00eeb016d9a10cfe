// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tlm/inside/journey/wait_chain.h"
#include "tlm/topology/topology.h"

#include <string>
#include <utility>
#include <vector>

/// The reports of `sare why` on packets, as text, picture and page.
namespace sare::cli {

/// A row of a Gantt chart: a place of a packet, with a bar for each span of time there.
struct time_lane {
    /// A span of time: cycles `from` to `to` - 1.
    struct bar {
        cycle_t from, to;
        /// Letter that stands for the packet's activity: 'v' no VC, 'c' no credit, '-' link, ...
        char does;
        std::string text;  ///< sentence about the span
    };
    std::string label;        ///< name of the place
    bool is_blocker = false;  ///< true: the row of another packet, for which the reported one waited
    std::vector<bar> bars;
};

/// Makes the reports on the packets in a journey_book.
class why_report {
  public:
    /// `book`: events of the packets; `map`: network of the run. Both must outlive the object. `nic_limits`:
    /// settings by which NICs hold packets back, see nic_limits().
    why_report(const journey_book& book, const topology& map, std::string nic_limits)
        : m_book(book), m_map(map), m_nic_limits(std::move(nic_limits)) {}

    /// Returns a text on packet number `packet`: its stages, its waits, the roots of these, and a Gantt
    /// chart, `width` characters wide.
    std::string text(std::uint64_t packet, std::size_t width) const;
    /// Returns a table with a line for each packet, and below it the roots of the waits of all packets
    /// together.
    std::string table(const std::vector<std::uint64_t>& packets) const;
    /// Returns the data of the page as JSON: for each packet the parts of text().
    json data(const std::vector<std::uint64_t>& packets) const;

  private:
    std::string headline(const journey& j) const;
    std::vector<std::vector<std::string>> stages(const journey& j) const;
    /// A sentence on what a packet waited for, and the number of cycles.
    struct way {
        std::string says;
        cycle_t cycles;
    };
    std::vector<way> waits(const journey& j) const;
    std::vector<time_lane> lanes(const journey& j) const;
    time_lane lane_of(const journey& j, std::size_t visit) const;
    std::string gantt(const journey& j, std::size_t width) const;
    std::string about(const journey& j, const journey_span& s, bool with_flit) const;
    std::string chain_text(const wait_chain& c) const;
    std::string root_text(const wait_root& r) const;
    std::string node(std::uint32_t n) const;
    std::string router(std::uint32_t r) const;
    std::string domain_of(std::uint32_t r) const;
    std::string exit_of(std::uint32_t r, port_number port) const;

    const journey_book& m_book;
    const topology& m_map;
    const std::string m_nic_limits;
};

/// Writes an HTML page with `data`, the result of why_report::data(), into `file`. Throws config::error if
/// the disk does not take it.
void write_why_page(const json& data, const std::string& title, const std::filesystem::path& file);

}  // namespace sare::cli
