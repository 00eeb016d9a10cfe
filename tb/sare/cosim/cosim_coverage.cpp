// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_coverage.h"

#include "tb/sare/cosim/ucis.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/files.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Adds up the counters by Verilator's own tool, in its format and as lcov; without it there are only tables.
void merge_counters(const fs::path& into, const std::vector<std::string>& files) {
    std::vector<std::string> line{"verilator_coverage", "--write", into.string(), "--write-info",
                                  fs::path(into).replace_extension(".info").string()};
    line.insert(line.end(), files.begin(), files.end());
    run_child(std::move(line));
}

}  // namespace

void cosim_coverage::add_result(const fs::path& folder) {
    const fs::path hits = folder / "functional.tsv";
    std::ifstream in(hits);
    if (!in)
        throw std::runtime_error(hits.string() + ": cannot be read: a result of sare cosim --random has it");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    m_points.table.add_text(text, hits);
    m_is_counted = true;
    if (const fs::path counters = folder / "coverage.dat"; fs::exists(counters))
        m_counters.push_back(counters);
}

void cosim_coverage::add_hits(const std::string& lines) {
    m_points.table.add_text(lines, "hits");
    m_is_counted = true;
}

void cosim_coverage::write(const fs::path& folder, const fs::path& counters, cosim_results& results) const {
    std::vector<std::string> files = m_counters;
    for (const auto& entry : fs::recursive_directory_iterator(counters))
        if (entry.path().extension() == ".dat") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) results.coverage.add(file);
    if (!files.empty()) {
        merge_counters(folder / "coverage.dat", files);
        write_file(folder / "coverage.txt", coverage_table(results.coverage));
        write_file(folder / "not_covered.txt", results.coverage.missing());
    }
    if (!m_is_counted) return;
    results.bins = m_points.table.possible();
    results.bins_hit = m_points.table.covered();
    write_file(folder / "functional.tsv", m_points.table.text());
    write_file(folder / "functional.ucis.xml", ucis_text(m_points.table.text()));
    write_file(folder / "holes.txt", m_points.table.holes());
}

}  // namespace sare::cli
