// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/value.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Empirical laws: files of weights, and draws by weight.
namespace sare::traffic {

/// Function that takes one line of a file: its place, its numbers, and its weight (0 or more).
using weight_line =
    std::function<void(const config::location&, const std::vector<std::int64_t>&, double weight)>;
/// Function that returns the number that `word` stands for, and throws config::error if there is none.
using word_number = std::function<std::int64_t(const config::location&, const std::string& word)>;
/// Reads a file of lines `NUMBER ... weight`, in which # starts a comment, and calls `line` for each. `file`
/// may be relative to `folder`. `columns`: a name for each NUMBER in error messages, such as "source".
/// `by_name`: called for a word in the place of a NUMBER; null: such a word is an error. Throws config::error
/// at `at` if the file cannot be read, at a line that is malformed, and at the file if no weight is above 0.
void read_weights(const config::location& at, const std::string& folder, const std::string& file,
                  const std::vector<std::string>& columns, const weight_line& line,
                  const word_number& by_name = nullptr);

/// Numbers that are drawn with probabilities in proportion to their weights.
class weighted {
  public:
    /// Adds a number with its weight, 0 or more (not checked); a number may be added several times.
    void add(std::uint32_t number, double weight) {
        m_all.push_back({(m_all.empty() ? 0.0 : m_all.back().upto) + weight, number});
    }
    /// Returns true if no number was added.
    bool empty() const { return m_all.empty(); }
    /// Adds the probability of each number to the element of `to` whose index is that number. The sum of all
    /// weights must be above 0 (here and below not checked).
    void add_shares(std::vector<double>& to) const {
        for_each_share([&to](std::uint32_t number, double share) { to[number] += share; });
    }
    /// Returns the expected value of `f` over the numbers. The sum of all weights must be above 0.
    double mean_of(const std::function<double(std::uint32_t)>& f) const {
        double sum = 0;
        for_each_share([&](std::uint32_t number, double share) { sum += share * f(number); });
        return sum;
    }
    /// Returns a random number, each with a probability in proportion to its weight. The sum of all weights
    /// must be above 0.
    std::uint32_t draw(rng& random) const {
        const double u = random.uniform() * m_all.back().upto;
        const auto found = std::upper_bound(m_all.begin(), m_all.end(), u,
                                            [](double x, const entry& e) { return x < e.upto; });
        return found == m_all.end() ? m_all.back().number : found->number;
    }

  private:
    template <class F>
    void for_each_share(F f) const {
        double before = 0;
        for (const entry& e : m_all) {
            f(e.number, (e.upto - before) / m_all.back().upto);
            before = e.upto;
        }
    }

    struct entry {
        double upto;  ///< sum of the weights of this number and of all that were added before it
        std::uint32_t number;
    };
    std::vector<entry> m_all;
};

}  // namespace sare::traffic
