// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_coverage.h"

#include "tb/sare/cosim/cosim_coverage.h"

namespace sare::cli {

std::map<std::string, double> merge_coverage(const std::filesystem::path& result) {
    namespace fs = std::filesystem;
    cosim_coverage all;
    bool any = false;
    for (const auto& entry : fs::directory_iterator(result))
        if (fs::exists(entry.path() / "functional.tsv")) {
            all.add_result(entry.path());
            any = true;
        }
    if (!any) return {};
    const fs::path folder = result / "coverage", counters = folder / "counters";
    fs::create_directories(counters);
    cosim_results sums;
    all.write(folder, counters, sums);
    fs::remove(counters);
    std::map<std::string, double> percent;
    if (sums.bins != 0) percent["bins"] = 100.0 * sums.bins_hit / sums.bins;
    if (!sums.coverage.empty()) {
        percent["lines"] = sums.coverage.all().lines.percent();
        percent["toggles"] = sums.coverage.all().toggles.percent();
    }
    return percent;
}

}  // namespace sare::cli
