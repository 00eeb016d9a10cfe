// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/socket.h"
#include "traffic/bridge/wire.h"

namespace sare::traffic {

/// A peer that speaks the bridge's own protocol over a stream.
class session final : public peer {
  public:
    /// `s`: the connection, from which the HELLO `h` was taken; the answer WELCOME is sent with the first
    /// grant. `terms` must outlive the object.
    session(byte_stream s, wire::hello h, const bridge_terms& terms);

    void deliver(const frame& f) override;
    void watch(std::vector<pollfd>& all) const override;
    void attend(bridge_side& bridge) override;
    void dismiss(const std::string& reason) override;

  private:
    void send_grant() override;
    void take_records(bridge_side& bridge);
    void take(wire::type t, wire::reader& in, bridge_side& bridge);
    void take_frame(wire::reader& in, bridge_side& bridge);

    byte_stream m_stream;
    const bridge_terms& m_terms;
    std::vector<std::uint32_t> m_place_of;  ///< index in computers() of the computer on each node; 0 for
                                            ///< nodes of other peers
};

}  // namespace sare::traffic
