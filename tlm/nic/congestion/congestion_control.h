// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <memory>

/// Congestion control at sources: how fast a flow may send, by what its destination says of marked packets. A
/// policy is one file here, or in a plugin, which registers it by name.
namespace sare {

class archive;

/// The rate of one flow, as its source keeps it.
class flow_rate {
  public:
    virtual ~flow_rate() = default;
    /// Returns the rate in flits a cycle, above 0, in cycle `now`, which is never earlier than in a call
    /// before.
    virtual double in(cycle_t now) = 0;
    /// Notes that a packet of `flits` flits is sent in cycle `now`; by default nothing.
    virtual void sent(std::uint32_t flits, cycle_t now) { (void)flits, (void)now; }
    /// Notes that the destination has told, in cycle `now`, of a marked packet.
    virtual void notified(cycle_t now) = 0;
    /// Writes or reads the state.
    virtual void serialize(archive& a) = 0;
};

/// A congestion control with its parameters.
class congestion_control {
  public:
    /// Kind of these policies in texts; name of the default one.
    static constexpr const char *kind = "congestion control", *usual = "unlimited";

    virtual ~congestion_control() = default;
    /// Makes the rate of a new flow; null: flows send as fast as they can.
    virtual std::unique_ptr<flow_rate> make() const = 0;
    /// Least number of cycles from one notification of a flow by its destination to the next.
    virtual cycle_t notice_interval() const { return 0; }
};

/// A congestion control by flows of type `Rate`, which is made of `Parameters`. These have the rates
/// `line_rate` and `least_rate` and a function notice_interval().
template <class Rate, class Parameters>
class control_by_rates final : public congestion_control {
  public:
    explicit control_by_rates(const Parameters& p) : m_params(p) {}
    std::unique_ptr<flow_rate> make() const override { return std::make_unique<Rate>(m_params); }
    cycle_t notice_interval() const override { return m_params.notice_interval(); }
    /// Returns the keys that all such controls have.
    static config::schema<Parameters> fields() {
        config::schema<Parameters> s;
        s.number("line_rate", &Parameters::line_rate, 1e-6, 1, "flits/cycle",
                 "Rate at which a flow begins; its highest.")
            .number("least_rate", &Parameters::least_rate, 1e-6, 1, "flits/cycle", "Lowest rate of a flow.");
        return s;
    }

  private:
    const Parameters m_params;
};

using congestion_control_registry = config::registry<congestion_control>;  ///< policies by name

}  // namespace sare
