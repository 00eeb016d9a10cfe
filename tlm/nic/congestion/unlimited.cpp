// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/congestion/congestion_control.h"

namespace sare {
namespace {

const bool named =
    (congestion_control_registry::instance().name_kind(congestion_control::kind, "name"), true);

struct unlimited final : congestion_control {
    std::unique_ptr<flow_rate> make() const override { return nullptr; }
};

const config::registration<congestion_control> declared{
    "unlimited", "Flows send as fast as window and network let them.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&) { return new unlimited; }};

}  // namespace
}  // namespace sare
