// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <memory>
#include <string>

/// Laws of the gap between two messages of a node, in cycles.
namespace sare::traffic {

class gap_law {
  public:
    explicit gap_law(double mean) : m_mean(mean) {}
    virtual ~gap_law() = default;
    double mean() const { return m_mean; }        ///< mean gap in cycles
    virtual double draw(rng& random) const = 0;   ///< draws a gap in cycles
    virtual bool fixed() const { return false; }  ///< true: always the mean, and nothing is drawn

  private:
    double m_mean;
};

/// The registry of laws, which are made with the folder that files are relative to.
using gap_registry = config::registry<gap_law, const std::string&>;

/// Returns the law that a name, or a section with `name`, describes. Throws config::error for another value.
std::shared_ptr<const gap_law> make_gaps(const config::value& v, const std::string& folder);
/// Returns a law's section with every parameter written out.
config::value resolve_gaps(const config::value& v);

/// Returns x to the power p, x > 0, by IEEE operations only, so that every machine draws the same numbers.
double power_of(double x, double p);

}  // namespace sare::traffic
