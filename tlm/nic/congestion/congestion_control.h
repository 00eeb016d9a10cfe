// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <memory>

/// Congestion control at sources: how fast a flow (packets of one source, destination and message class) may
/// send, given what its destination tells of packets that routers marked. A policy is one file here, or in a
/// plugin, which registers it by name.
namespace sare {

class archive;

/// Sending rate of one flow; the source of the flow (go_back_n) owns it.
class flow_rate {
  public:
    virtual ~flow_rate() = default;
    /// Returns the rate in cycle `now`, in flits a cycle, above 0. `now` never decreases from call to call of
    /// this class's functions.
    virtual double in(cycle_t now) = 0;
    /// Notes that a packet of `flits` flits is sent in cycle `now`. By default does nothing.
    virtual void sent(std::uint32_t flits, cycle_t now) { (void)flits, (void)now; }
    /// Notes that the source is told, in cycle `now`, that a marked packet has arrived.
    virtual void notified(cycle_t now) = 0;
    /// Writes the state to a checkpoint, or reads it.
    virtual void serialize(archive& a) = 0;
};

/// A congestion control policy with its parameters, shared by all flows.
class congestion_control {
  public:
    /// Word for such a policy in messages to users; name of the policy that is the default.
    static constexpr const char *kind = "congestion control", *usual = "unlimited";

    virtual ~congestion_control() = default;
    /// Returns the rate of a new flow; null: flows send as fast as they can.
    virtual std::unique_ptr<flow_rate> make() const = 0;
    /// Returns the least number of cycles from one notification of a flow's source by its destination to the
    /// next; 0, the default: no least number.
    virtual cycle_t notice_interval() const { return 0; }
};

/// A congestion control whose flows have rates of class `Rate`, a flow_rate with a constructor from
/// `Parameters`. `Parameters` must have members `line_rate` and `least_rate` (flits a cycle) and a function
/// notice_interval() (cycles).
template <class Rate, class Parameters>
class control_by_rates final : public congestion_control {
  public:
    explicit control_by_rates(const Parameters& p) : m_params(p) {}
    std::unique_ptr<flow_rate> make() const override { return std::make_unique<Rate>(m_params); }
    cycle_t notice_interval() const override { return m_params.notice_interval(); }
    /// Returns the schema of the parameters that all such controls have, to which a control adds its own.
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

/// Registry of the policies, by name.
using congestion_control_registry = config::registry<congestion_control>;

}  // namespace sare
