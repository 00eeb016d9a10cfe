// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/gap.h"

namespace sare::traffic {

/// A law of any quantity: a law of gaps, scaled to a given mean.
class scaled_law {
  public:
    /// `law`: as for make_gaps(); its own mean does not matter.
    scaled_law(double mean, const config::value& law, const std::string& folder)
        : m_mean(mean), m_law(make_gaps(law, folder)) {}

    double mean() const { return m_mean; }
    bool fixed() const { return m_law->fixed(); }  ///< true: always the mean
    double draw(rng& random) const { return m_mean * (m_law->draw(random) / m_law->mean()); }
    /// Draws a number, and returns the whole number below or above it, by chance, so that the mean stays; at
    /// most `most`.
    std::uint64_t draw_whole(rng& random, std::uint64_t most) const;

  private:
    double m_mean;  ///< mean of what is drawn
    std::shared_ptr<const gap_law> m_law;
};

}  // namespace sare::traffic
