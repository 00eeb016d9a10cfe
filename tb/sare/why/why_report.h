// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tlm/inside/journey/wait_chain.h"
#include "tlm/topology/topology.h"

#include <string>
#include <vector>

/// What `sare why` says of packets, as text, picture and page.
namespace sare::cli {

/// A row of a picture of time: a place of a packet and what it did there.
struct time_lane {
    struct bar {
        cycle_t from, to;
        char does;         ///< letter of legend()
        std::string text;  ///< sentence about it
    };
    std::string label;
    bool is_blocker = false;  ///< true: of a packet that the other one waited for
    std::vector<bar> bars;
};

class why_report {
  public:
    why_report(const journey_book& book, const topology& map) : m_book(book), m_map(map) {}

    /// Returns all about a packet: its stages, waits, roots, and its picture, `width` characters wide.
    std::string text(std::uint64_t packet, std::size_t width) const;
    /// Returns a line a packet, and the roots of all of them together.
    std::string table(const std::vector<std::uint64_t>& packets) const;
    /// Returns the data of the page: what text() says, of each packet.
    json data(const std::vector<std::uint64_t>& packets) const;

  private:
    std::string headline(const journey& j) const;
    std::vector<std::vector<std::string>> stages(const journey& j) const;
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
};

/// Writes a page with the data into a file.
void write_why_page(const json& data, const std::string& title, const std::filesystem::path& file);

}  // namespace sare::cli
