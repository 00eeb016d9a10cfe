// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <memory>
#include <string>

namespace sare::traffic {

/// A law of the gap between two messages of a node, in cycles.
class gap_law {
  public:
    explicit gap_law(double mean) : m_mean(mean) {}  ///< `mean`: mean gap in cycles, above 0
    virtual ~gap_law() = default;
    double mean() const { return m_mean; }       ///< mean gap in cycles, above 0
    virtual double draw(rng& random) const = 0;  ///< returns a random gap in cycles, 0 or more, not rounded
    /// Returns true if draw() always returns the mean, and takes nothing from `random`.
    virtual bool fixed() const { return false; }

  private:
    double m_mean;
};

/// The registry of laws by name. A law is made with the folder to which names of files in its section are
/// relative.
using gap_registry = config::registry<gap_law, const std::string&>;

/// Returns the law that `v` describes: a name, or a section with the key `name` and the parameters of the
/// law. Throws config::error for an unknown name or a wrong parameter. `folder`: folder to which names of
/// files are relative.
std::shared_ptr<const gap_law> make_gaps(const config::value& v, const std::string& folder);
/// Returns the section of the law that `v` describes, with every parameter written out, defaults included.
/// Throws config::error as make_gaps() does.
config::value resolve_gaps(const config::value& v);

/// Returns x to the power p, for x > 0, by IEEE operations only, so that every machine draws the same
/// numbers. Results below 2^-1000 or above 2^1000 are cut to these.
double power_of(double x, double p);

}  // namespace sare::traffic
