// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <string>

/// Laws of the message length, in flits (headers included).
namespace sare {
class archive;
}

namespace sare::traffic {

class length_law {
  public:
    /// Makes a law of lengths from `smallest` to `largest` flits with mean `mean`. If these are equal, the
    /// length is fixed and nothing is drawn.
    length_law(std::uint32_t smallest, std::uint32_t largest, double mean)
        : m_smallest(smallest), m_largest(largest), m_mean(mean) {}
    virtual ~length_law() = default;

    /// Returns the next length; a fixed law draws nothing from `random`.
    std::uint32_t next(rng& random) { return m_smallest == m_largest ? m_smallest : draw(random); }
    bool fixed() const { return m_smallest == m_largest; }  ///< true: all lengths are largest()
    std::uint32_t largest() const { return m_largest; }     ///< largest possible length in flits
    double mean() const { return m_mean; }                  ///< mean length in flits
    /// Writes or reads the state that next() changes (docs/checkpoint.md), if there is any.
    virtual void serialize(archive& a) { (void)a; }

  private:
    virtual std::uint32_t draw(rng& random) = 0;

    std::uint32_t m_smallest, m_largest;
    double m_mean;
};

/// The registry of laws, which are made with the folder that files are relative to.
using length_registry = config::registry<length_law, const std::string&>;

/// Returns the law that a value describes: an integer is a fixed length, else a name or a section with
/// `name`; a file named in it is relative to `folder`.
std::unique_ptr<length_law> make_length(const config::value& v, const std::string& folder = "");
/// Returns a law's section with every parameter written out.
config::value resolve_length(const config::value& v);

}  // namespace sare::traffic
