// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tb/sst implements of SST's interface of that name.
#include <sst/core/component.h>

namespace SST::Interfaces {

class SimpleNetwork : public SubComponent {
  public:
    using nid_t = std::int64_t;
    static constexpr nid_t INIT_BROADCAST_ADDR = 0xffffffffffffffffL;
    using HandlerBase = SSTHandlerBase<bool, int>;
    template <class Object, auto function, class Data = void>
    using Handler = SSTHandler<bool, int, Object, Data, function>;

    class Request : public Core::Serialization::serializable {
      public:
        Request(nid_t to, nid_t from, std::size_t bits) : dest(to), src(from), size_in_bits(bits) {}
        ~Request() override { delete m_payload; }
        Request(const Request&) = default;
        void givePayload(Event* e) { m_payload = e; }
        Event* takePayload() { return std::exchange(m_payload, nullptr); }
        Request* clone() {
            auto* r = new Request(*this);
            if (m_payload != nullptr) r->m_payload = m_payload->clone();
            return r;
        }
        nid_t dest, src;
        int vn = 0;
        std::size_t size_in_bits;

      private:
        Event* m_payload = nullptr;
    };

    using SubComponent::SubComponent;
    virtual void sendUntimedData(Request* r) = 0;
    virtual Request* recvUntimedData() = 0;
    virtual bool send(Request* r, int vn) = 0;
    virtual Request* recv(int vn) = 0;
    virtual bool spaceToSend(int vn, int bits) = 0;
    virtual bool requestToReceive(int vn) = 0;
    virtual void setNotifyOnReceive(HandlerBase* f) = 0;
    virtual void setNotifyOnSend(HandlerBase* f) = 0;
    virtual bool isNetworkInitialized() const = 0;
    virtual nid_t getEndpointID() const = 0;
    virtual const UnitAlgebra& getLinkBW() const = 0;
};

}  // namespace SST::Interfaces
