// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "traffic/spatial/weights.h"

#include <fmt/format.h>

namespace sare::traffic::variants::file_of_gaps {
namespace {

struct parameters {
    std::string file;
};

/// The contents of a file of gaps.
struct gaps {
    weighted law;
    double sum = 0, weights = 0;

    gaps(const parameters& p, const config::value& section, const std::string& folder) {
        read_weights(section.where(), folder, p.file, {"gap"},
                     [this](const config::location& at, const std::vector<std::int64_t>& gap, double weight) {
                         if (gap[0] < 0 || gap[0] > 0xffffffff)
                             throw config::error(
                                 at, fmt::format("gap {} must be from 0 to 4294967295 cycles", gap[0]));
                         if (weight == 0) return;
                         law.add(static_cast<std::uint32_t>(gap[0]), weight);
                         sum += static_cast<double>(gap[0]) * weight;
                         weights += weight;
                     });
        if (sum == 0) throw config::error(section.where(), "gaps 'file': no gap in it is above 0 cycles");
    }
};

class from_file : public gap_law {
  public:
    explicit from_file(const gaps& all) : gap_law(all.sum / all.weights), m_law(all.law) {}
    double draw(rng& random) const override { return m_law.draw(random); }

  private:
    weighted m_law;
};

const config::registration<gap_law, const std::string&> registered{
    "file", "Gaps by weight, from a file.",
    config::schema<parameters>().text("file", &parameters::file,
                                      "lines 'gap weight', in cycles; # starts a comment"),
    [](const parameters& p, const config::value& section, const std::string& folder) {
        if (p.file.empty())
            throw config::error(section.where(), "gaps 'file' needs 'file: ' with the weights");
        return new from_file({p, section, folder});
    }};

}  // namespace
}  // namespace sare::traffic::variants::file_of_gaps
