// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <memory>
#include <string>

/// Laws of the time between two messages of a node, in cycles.
namespace sare::traffic {

class gap_law {
  public:
    explicit gap_law(double mean) : m_mean(mean) {}
    virtual ~gap_law() = default;
    double mean() const { return m_mean; }
    virtual double draw(rng& random) const = 0;
    virtual bool fixed() const { return false; }  ///< always the mean, and nothing is drawn

  private:
    double m_mean;
};

/// Variants are made with the folder that files are relative to.
using gap_registry = config::registry<gap_law, const std::string&>;

/// The law that a name or a section with `name` describes.
std::shared_ptr<const gap_law> make_gaps(const config::value& v, const std::string& folder);
/// The same as a section with every parameter written out.
config::value resolve_gaps(const config::value& v);

/// x to the power p, x > 0, by IEEE operations only: every machine draws the same.
double power_of(double x, double p);

}  // namespace sare::traffic
