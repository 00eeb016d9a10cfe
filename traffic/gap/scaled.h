// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/gap.h"

namespace sare::traffic {

/// A law of any quantity, such as a time or a size: a law of gaps whose results are multiplied so that the
/// mean is a given one.
class scaled_law {
  public:
    /// `mean`: mean of draw(), in the unit of the quantity. `law`: a value that make_gaps() takes, of which
    /// only the shape matters, not its own mean. `folder`: folder to which names of files in `law` are
    /// relative. Throws config::error as make_gaps() does.
    scaled_law(double mean, const config::value& law, const std::string& folder)
        : m_mean(mean), m_law(make_gaps(law, folder)) {}

    /// Returns the mean of draw().
    double mean() const { return m_mean; }
    bool fixed() const { return m_law->fixed(); }  ///< true: draw() always returns the mean
    /// Returns a random number, 0 or more, in the unit of `mean`, not rounded.
    double draw(rng& random) const { return m_mean * (m_law->draw(random) / m_law->mean()); }
    /// Returns a random whole number, at most `most`: draw(), rounded up or down at random so that the mean
    /// stays.
    std::uint64_t draw_whole(rng& random, std::uint64_t most) const;

  private:
    double m_mean;  ///< mean of draw()
    std::shared_ptr<const gap_law> m_law;
};

}  // namespace sare::traffic
