// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/flow_kit.h"

#include "tlm/base/bits.h"

#include <deque>

namespace sare::cosim {
namespace {

/// Pins with the credit protocol of the links: nothing is converted.
class credit_kit : public flow_kit {
  public:
    explicit credit_kit(std::uint32_t ports) : m_in(ports) {}

    void arrived(std::uint32_t port, const port_in& in) override { m_in[port] = in; }
    const flit* offer(std::uint32_t port) override { return m_in[port].valid ? &m_in[port].what : nullptr; }
    std::uint32_t back(std::uint32_t port) override { return m_in[port].credits; }
    std::uint32_t came_back(std::uint32_t, std::uint32_t vcs) override { return vcs; }
    std::uint32_t refused(std::uint32_t) const override { return 0; }
    bool left(std::uint32_t, std::uint32_t) override { return true; }

  private:
    std::vector<port_in> m_in;
};

/// Pins that take the credit of one VC a cycle: credits of other VCs wait for their turn.
class encoded_credit_kit final : public credit_kit {
  public:
    explicit encoded_credit_kit(const pins::router_info& info)
        : credit_kit(info.ports), m_vcs(info.vcs), m_owed(info.ports * info.vcs), m_next(info.ports) {}

    void arrived(std::uint32_t port, const port_in& in) override {
        credit_kit::arrived(port, in);
        for (std::uint32_t rest = in.credits; rest != 0; rest &= rest - 1) ++owed(port, lowest(rest));
    }
    std::uint32_t back(std::uint32_t port) override {
        for (std::uint32_t n = 0; n < m_vcs; ++n) {
            const std::uint32_t vc = (m_next[port] + n) % m_vcs;
            if (owed(port, vc) == 0) continue;
            --owed(port, vc);
            m_next[port] = vc + 1;
            return 1u << vc;
        }
        return 0;
    }

  private:
    std::uint32_t& owed(std::uint32_t port, std::uint32_t vc) { return m_owed[port * m_vcs + vc]; }

    std::uint32_t m_vcs;
    std::vector<std::uint32_t> m_owed, m_next;
};

/// Pins that may refuse a flit: a queue for each VC before the inputs, as deep as the sender has credits, and
/// a counter for each VC behind the outputs of the credits for the buffer beyond.
class queued_kit : public flow_kit {
  public:
    explicit queued_kit(const pins::router_info& info)
        : m_vcs(info.vcs), m_queues(info.ports * info.vcs), m_inputs(info.ports) {
        for (const std::uint32_t depth : info.depth_beyond) m_credits.insert(m_credits.end(), m_vcs, depth);
    }

    void arrived(std::uint32_t port, const port_in& in) override {
        if (in.valid) queue(port, in.what.vc).push_back(in.what);
        for (std::uint32_t rest = in.credits; rest != 0; rest &= rest - 1) ++credits(port, lowest(rest));
    }
    const flit* offer(std::uint32_t port) override {
        input& i = m_inputs[port];
        for (std::uint32_t n = 0; n < m_vcs; ++n) {
            const std::uint32_t vc = (i.next + n) % m_vcs;
            if (queue(port, vc).empty() || !may_offer(port, vc)) continue;
            i.offered = static_cast<int>(vc);
            return &queue(port, vc).front();
        }
        i.offered = -1;
        return nullptr;
    }
    bool left(std::uint32_t port, std::uint32_t vc) override {
        if (!may_leave(port, vc)) return false;
        --credits(port, vc);
        return true;
    }

  protected:
    virtual bool may_offer(std::uint32_t port, std::uint32_t vc) const = 0;
    virtual bool may_leave(std::uint32_t port, std::uint32_t vc) const = 0;

    /// Returns the VCs of output `port` with more than `n` credits.
    std::uint32_t with_credits(std::uint32_t port, std::uint32_t n) const {
        std::uint32_t vcs = 0;
        for (std::uint32_t v = 0; v < m_vcs; ++v)
            vcs |= (m_credits[port * m_vcs + v] > static_cast<int>(n)) << v;
        return vcs;
    }
    /// Ends the offer at `port`. If `taken`, removes the flit from its queue and returns its VC, as a mask;
    /// else returns 0. The next VC has the next turn, unless the flit was not taken and its offer `stays`.
    std::uint32_t next_turn(std::uint32_t port, bool taken, bool stays = false) {
        input& i = m_inputs[port];
        if (i.offered < 0) return 0;
        const auto vc = static_cast<std::uint32_t>(i.offered);
        i.next = taken || !stays ? vc + 1 : vc;
        if (!taken) return 0;
        queue(port, vc).pop_front();
        return 1u << vc;
    }
    int offered(std::uint32_t port) const { return m_inputs[port].offered; }

  private:
    struct input {
        std::uint32_t next = 0;
        int offered = -1;  ///< VC offered in this cycle; -1: none
    };
    std::deque<flit>& queue(std::uint32_t port, std::uint32_t vc) { return m_queues[port * m_vcs + vc]; }
    int& credits(std::uint32_t port, std::uint32_t vc) { return m_credits[port * m_vcs + vc]; }

    std::uint32_t m_vcs;
    std::vector<std::deque<flit>> m_queues;
    std::vector<int> m_credits;
    std::vector<input> m_inputs;
};

class ready_valid_kit final : public queued_kit {
  public:
    ready_valid_kit(const pins::router_info& info, bool offers_stay)
        : queued_kit(info),
          m_offers_stay(offers_stay),
          m_ready(info.ports),
          m_refused(info.ports),
          m_seen(info.ports, ~0u) {}

    std::uint32_t back(std::uint32_t port) override { return m_ready[port] = with_credits(port, 0); }
    void sees(std::uint32_t port, std::uint32_t vcs) override { m_seen[port] = vcs | m_refused[port]; }
    std::uint32_t came_back(std::uint32_t port, std::uint32_t vcs) override {
        const std::uint32_t offers = offered(port) < 0 ? 0 : 1u << offered(port);
        m_refused[port] = offers & ~vcs;
        return next_turn(port, (offers & vcs) != 0, m_offers_stay);
    }
    std::uint32_t refused(std::uint32_t port) const override { return m_refused[port]; }

  protected:
    bool may_offer(std::uint32_t port, std::uint32_t vc) const override {
        return (m_seen[port] >> vc & 1) != 0;
    }
    bool may_leave(std::uint32_t port, std::uint32_t vc) const override {
        return (m_ready[port] >> vc & 1) != 0;
    }

  private:
    bool m_offers_stay;
    std::vector<std::uint32_t> m_ready, m_refused;
    std::vector<std::uint32_t> m_seen;  ///< VCs that may be offered
};

/// Pins that switch a sender on and off. The router's word of a cycle counts from the next cycle on. The
/// router is switched off early enough for the flits that it may still send, so that each flit that comes out
/// moves on.
class on_off_kit final : public queued_kit {
  public:
    on_off_kit(const pins::router_info& info, std::uint32_t reaction)
        : queued_kit(info), m_reaction(reaction), m_on(info.ports) {}

    std::uint32_t back(std::uint32_t port) override { return with_credits(port, m_reaction); }
    std::uint32_t came_back(std::uint32_t port, std::uint32_t vcs) override {
        m_on[port] = vcs;
        return next_turn(port, true);
    }
    std::uint32_t refused(std::uint32_t port) const override { return ~m_on[port]; }

  protected:
    bool may_offer(std::uint32_t port, std::uint32_t vc) const override {
        return (m_on[port] >> vc & 1) != 0;
    }
    bool may_leave(std::uint32_t, std::uint32_t) const override { return true; }

  private:
    std::uint32_t m_reaction;
    std::vector<std::uint32_t> m_on;
};

}  // namespace

std::unique_ptr<flow_kit> make_flow_kit(const pins::router_facts& facts, const pins::router_info& info) {
    switch (facts.flow) {
        case pins::flow_control::credit:
            if (facts.encoded_credits) return std::make_unique<encoded_credit_kit>(info);
            return std::make_unique<credit_kit>(info.ports);
        case pins::flow_control::ready_valid:
            return std::make_unique<ready_valid_kit>(info, facts.stable_offer);
        case pins::flow_control::on_off:
            break;
    }
    return std::make_unique<on_off_kit>(info, facts.reaction);
}

}  // namespace sare::cosim
