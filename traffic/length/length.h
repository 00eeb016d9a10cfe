// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sare {
class archive;
}  // namespace sare

namespace sare::traffic {

/// A law of the length of messages, in flits, headers included.
class length_law {
  public:
    /// Function of a length in flits.
    using function_of_length = std::function<double(std::uint32_t)>;

    /// The lengths are from `smallest`, at least 1, to `largest` flits, both included (not checked). If the
    /// two are equal, next() never calls draw().
    length_law(std::uint32_t smallest, std::uint32_t largest) : m_smallest(smallest), m_largest(largest) {}
    virtual ~length_law() = default;

    /// Returns the length of the next message in flits. A fixed law draws nothing from `random`.
    std::uint32_t next(rng& random) { return m_smallest == m_largest ? m_smallest : draw(random); }
    bool fixed() const { return m_smallest == m_largest; }  ///< true: all messages have largest() flits
    std::uint32_t smallest() const { return m_smallest; }   ///< smallest possible length in flits
    std::uint32_t largest() const { return m_largest; }     ///< largest possible length in flits
    double mean() const;                                    ///< mean length in flits
    /// Returns the expected value of `f` over the lengths of the law.
    virtual double mean_of(const function_of_length& f) const = 0;
    /// Writes or reads the state that next() changes, for checkpoints (docs/checkpoint.md); a law without
    /// state does nothing.
    virtual void serialize(archive& a) { (void)a; }

  private:
    /// Returns a length from `smallest` to `largest` flits; called for laws that are not fixed.
    virtual std::uint32_t draw(rng& random) = 0;

    std::uint32_t m_smallest, m_largest;
};

/// Context in which length_registry makes a law, beside the law's own section.
struct length_context {
    std::string folder{};          ///< folder to which names of files in the section are relative
    std::uint32_t flit_bytes = 0;  ///< bytes of data that a flit carries; 0: not known
};
/// The registry of laws by name.
using length_registry = config::registry<length_law, const length_context&>;

/// Returns the law that `v` describes: an integer from 1 to 2^20, for a fixed length in flits; a name; or a
/// section with the key `name`. Throws config::error for any other value.
std::unique_ptr<length_law> make_length(const config::value& v, const length_context& c = {});
/// Returns `law` with every length rounded up to a multiple of `packet` flits, as NICs that pad packets send
/// it. `packet`: traffic_port::padded(1), at least 1 (not checked); 1: `law` itself is returned.
std::unique_ptr<length_law> padded(std::unique_ptr<length_law> law, std::uint32_t packet);
/// Returns the section of the law that `v` describes, with every parameter written out, defaults included.
/// Throws config::error as make_length() does.
config::value resolve_length(const config::value& v);

}  // namespace sare::traffic
