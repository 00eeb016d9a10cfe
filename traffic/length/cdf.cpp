// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

/// Distributions of flow sizes as data-centre simulators have them (ns-3, HPCC): lines `bytes percent`.
namespace sare::traffic::variants::cdf {
namespace {

struct parameters {
    std::string file;
};

/// A size in bytes, and the share of messages that are at most as long.
struct point {
    double bytes = 0, upto = 0;
};

constexpr std::uint32_t most_flits = 1 << 24;

std::vector<point> read_points(const config::location& named_at, const std::string& folder,
                               const std::string& file) {
    std::istringstream in(read_text(named_at, folder, file));
    std::vector<point> all;
    config::location at{file_path(folder, file), 0, 1};
    for (std::string line; std::getline(in, line);) {
        ++at.line;
        line.erase(std::min(line.find('#'), line.size()));
        std::istringstream words(line);
        point p;
        std::string rest;
        if (words >> rest) {
            words.seekg(0);
            if (!(words >> p.bytes >> p.upto) || words >> rest)
                throw config::error(at, "a line must be 'bytes percent', such as '10000 15'");
            if (!all.empty() && (p.bytes < all.back().bytes || p.upto < all.back().upto))
                throw config::error(at, "bytes and percent must not fall from line to line");
            if (!(p.bytes >= 0) || !(p.upto >= 0 && p.upto <= 100))
                throw config::error(at, "bytes must be from 0, and percent from 0 to 100");
            all.push_back(p);
        }
    }
    if (all.empty() || (all.back().upto != 100 && all.back().upto != 1))
        throw config::error(at, "the last line must have 100 percent, or a share of 1");
    for (point& p : all) p.upto /= all.back().upto == 100 ? 100 : 1;
    return all;
}

/// Draws sizes between the points as likely as their distance says (linear interpolation), in whole flits.
class from_cdf : public length_law {
  public:
    from_cdf(std::vector<point> points, std::uint32_t flit_bytes)
        : length_law(flits(points.front().bytes, flit_bytes), flits(points.back().bytes, flit_bytes)),
          m_points(std::move(points)),
          m_flit_bytes(flit_bytes) {}

    double mean_of(const function_of_length& f) const override {
        double mean = m_points.front().upto * f(smallest());
        for (std::size_t i = 1; i < m_points.size(); ++i)
            mean += mean_between(m_points[i - 1], m_points[i], f);
        return mean;
    }

  private:
    /// Returns what the sizes between two points contribute to the mean of `f`.
    double mean_between(const point& a, const point& b, const function_of_length& f) const {
        const double share = b.upto - a.upto, width = b.bytes - a.bytes;
        const std::uint32_t last = flits(b.bytes, m_flit_bytes);
        if (width <= 0) return share * f(last);
        double sum = 0;
        for (std::uint32_t k = flits(a.bytes, m_flit_bytes); k <= last; ++k) {
            const double low = k == 1 ? a.bytes : std::max(a.bytes, (k - 1.0) * m_flit_bytes);
            sum += (std::min(b.bytes, 1.0 * k * m_flit_bytes) - low) / width * f(k);
        }
        return share * sum;
    }
    static std::uint32_t flits(double bytes, std::uint32_t flit_bytes) {
        return static_cast<std::uint32_t>(std::max(1.0, std::ceil(bytes / flit_bytes)));
    }
    std::uint32_t draw(rng& random) override {
        const double u = random.uniform();
        const auto above = std::upper_bound(m_points.begin(), m_points.end(), u,
                                            [](double x, const point& p) { return x < p.upto; });
        if (above == m_points.begin()) return flits(above->bytes, m_flit_bytes);
        if (above == m_points.end()) return largest();
        const point &a = *(above - 1), &b = *above;
        return flits(a.bytes + (b.bytes - a.bytes) * (u - a.upto) / (b.upto - a.upto), m_flit_bytes);
    }

    std::vector<point> m_points;
    std::uint32_t m_flit_bytes;
};

const config::registration<length_law, const length_context&> registered{
    "cdf", "Sizes of flows in bytes, from a file of their distribution.",
    config::schema<parameters>().text("file", &parameters::file,
                                      "lines 'bytes percent', rising to 100 (or to a share of 1); # starts a "
                                      "comment; between them as likely"),
    [](const parameters& p, const config::value& section, const length_context& c) {
        if (p.file.empty())
            throw config::error(section.where(), "length 'cdf' needs 'file: ' with the sizes");
        if (c.flit_bytes == 0) throw config::error(section.where(), "length 'cdf' needs the bytes of a flit");
        auto points = read_points(section.where(), c.folder, p.file);
        if (points.back().bytes > 1.0 * most_flits * c.flit_bytes)
            throw config::error(section.where(),
                                fmt::format("length 'cdf': the largest size has more than {} flits of {} "
                                            "bytes; make 'nic.flit_bytes' larger",
                                            most_flits, c.flit_bytes));
        return new from_cdf(std::move(points), c.flit_bytes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::cdf
