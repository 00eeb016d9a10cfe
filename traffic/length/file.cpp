// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"
#include "traffic/spatial/weights.h"

#include <fmt/format.h>

namespace sare::traffic::variants::file {
namespace {

struct parameters {
    std::string file;
};

/// The contents of a file of lengths.
struct lengths {
    weighted law;
    std::uint32_t smallest = 1 << 20, largest = 1;

    lengths(const parameters& p, const config::value& section, const length_context& c) {
        read_weights(
            section.where(), c.folder, p.file, {"length"},
            [this](const config::location& at, const std::vector<std::int64_t>& length, double weight) {
                if (length[0] < 1 || length[0] > 1 << 20)
                    throw config::error(at,
                                        fmt::format("length {} must be from 1 to 1048576 flits", length[0]));
                if (weight > 0) add(static_cast<std::uint32_t>(length[0]), weight);
            });
    }

    void add(std::uint32_t flits, double weight) {
        law.add(flits, weight);
        smallest = std::min(smallest, flits);
        largest = std::max(largest, flits);
    }
};

class from_file : public length_law {
  public:
    explicit from_file(const lengths& all) : length_law(all.smallest, all.largest), m_law(all.law) {}
    double mean_of(const function_of_length& f) const override { return m_law.mean_of(f); }

  private:
    std::uint32_t draw(rng& random) override { return m_law.draw(random); }
    weighted m_law;
};

const config::registration<length_law, const length_context&> registered{
    "file", "Lengths by weight, from a file.",
    config::schema<parameters>().text("file", &parameters::file,
                                      "lines 'length weight', in flits; # starts a comment"),
    [](const parameters& p, const config::value& section, const length_context& c) {
        if (p.file.empty())
            throw config::error(section.where(), "length 'file' needs 'file: ' with the weights");
        return new from_file({p, section, c});
    }};

}  // namespace
}  // namespace sare::traffic::variants::file
