// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/router_waves.h"

#include "tlm/base/temporary_file.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"

#include <gtkwave/fstapi.h>

#include <cmath>
#include <sstream>

namespace sare {
namespace {

std::uint32_t bits_for(std::uint32_t most) {
    std::uint32_t bits = 1;
    while (most >> bits != 0) ++bits;
    return bits;
}

}  // namespace

struct router_waves::parts {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    static constexpr std::uint32_t number_bits = 32;  ///< bits of packet numbers

    struct number_signal {
        fstHandle handle;
        std::uint32_t bits;
        std::uint64_t last = 0;
        bool written = false;
    };
    struct text_signal {
        fstHandle handle;
        std::string last;
    };
    /// Signals of a VC of a port, input and output.
    struct vc_signals {
        std::uint32_t router, port, vc;
        number_signal flits, packet, credits;
        text_signal state, owner;
    };

    parts(fabric& n, packet_trace& p, const setting& h) : net(n), packets(p), how(h) {
        to = fstWriterCreate(file.name().c_str(), 1);
        if (to == nullptr)
            throw std::runtime_error(file.name() + " cannot be written; TMPDIR names another folder");
        fstWriterSetTimescale(to, -12);
        fstWriterSetVersion(to, "sare");
        fstWriterSetDate(to, "");  // the same run writes the same file
        fstWriterSetPackType(to, FST_WR_PT_LZ4);
        for (std::uint32_t r = 0; r < net.view().routers(); ++r)
            if (how.routers.contains(r)) add_router(r);
        leave_scopes(0);
    }
    ~parts() { close(); }

    void close() {
        if (to == nullptr) return;
        if (begun) fstWriterEmitTimeChange(to, time_of(last + 1));
        fstWriterClose(to);
        to = nullptr;
    }

    // ---- names
    void enter_scope(const std::string& name) {
        fstWriterSetScope(to, FST_ST_VCD_MODULE, name.c_str(), nullptr);
        scopes.push_back(name);
    }
    void leave_scopes(std::size_t left) {
        for (; scopes.size() > left; scopes.pop_back()) fstWriterSetUpscope(to);
    }
    /// Enters the scopes of a router, those shared by routers once.
    void enter_router(const std::string& name) {
        std::istringstream words(name);
        std::vector<std::string> path;
        for (std::string word; std::getline(words, word, '.');) path.push_back(word);
        std::size_t same = 0;
        while (same < scopes.size() && same < path.size() && scopes[same] == path[same]) ++same;
        leave_scopes(same);
        for (; same < path.size(); ++same) enter_scope(path[same]);
    }
    void add_router(std::uint32_t r) {
        enter_router(how.name(r));
        const std::size_t depth = scopes.size();
        for (std::uint32_t p = 0; p < net.view().ports(r); ++p) {
            enter_scope(port_name(*net.view().map(), r, p));
            for (std::uint32_t v = 0; v < net.view().bank_of(r).terms().vcs; ++v) {
                enter_scope("vc_" + std::to_string(v));
                add_vc(r, p, v);
                leave_scopes(depth + 1);
            }
            leave_scopes(depth);
        }
    }
    void add_vc(std::uint32_t r, std::uint32_t p, std::uint32_t v) {
        const std::uint32_t held = bits_for(net.view().bank_of(r).terms().depth);
        vc_signals s{r, p, v, number("flits", held), number("packet", number_bits), {}, text("state"), {}};
        s.credits = number("credits", bits_for(net.view().depth_beyond(r, p)));
        s.owner = text("owner");
        all.push_back(s);
    }
    number_signal number(const char* name, std::uint32_t bits) {
        return {fstWriterCreateVar(to, FST_VT_VCD_REG, FST_VD_IMPLICIT, bits, name, 0), bits};
    }
    text_signal text(const char* name) {
        return {fstWriterCreateVar(to, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name, 0), {}};
    }

    // ---- values
    /// Returns the time of a cycle in ps; the period may have changed since the cycle before.
    std::uint64_t time_of(cycle_t t) {
        seconds += static_cast<double>(t - timed_cycle) * net.port().cycle_seconds();
        timed_cycle = t;
        return static_cast<std::uint64_t>(std::llround(seconds * 1e12));
    }
    void at_time() {
        if (timed) return;
        fstWriterEmitTimeChange(to, time_of(last));
        timed = true;
    }
    void set(number_signal& s, std::uint64_t value) {
        if (s.written && s.last == value) return;
        at_time();
        if (value == none)
            fstWriterEmitValueChange(to, s.handle, std::string(s.bits, 'z').c_str());
        else
            fstWriterEmitValueChange64(to, s.handle, s.bits, value);
        s.last = value;
        s.written = true;
    }
    void set(text_signal& s, const std::string& value) {
        if (s.last == value) return;
        at_time();
        fstWriterEmitVariableLengthValueChange(to, s.handle, value.data(),
                                               static_cast<std::uint32_t>(value.size()));
        s.last = value;
    }
    void look_at(vc_signals& s) {
        const in_vc in = net.view().in(s.router, s.port, s.vc);
        const out_vc out = net.view().out(s.router, s.port, s.vc);
        set(s.flits, in.count);
        set(s.packet, in.count == 0
                          ? none
                          : packets.packet_in(net.view().buffered(s.router, s.port, s.vc, 0).packet).number);
        set(s.credits, out.credits);
        set(s.state, state_of_front(net.view(), s.router, s.port, s.vc));
        set(s.owner, owner_text(net.view(), s.router, out));
    }
    void look(cycle_t t) {
        time_of(t);
        if (t < how.from || t >= how.to) return;
        last = t;
        begun = true;
        timed = false;
        for (vc_signals& s : all) look_at(s);
    }

    fabric& net;
    packet_trace& packets;
    const setting how;
    const temporary_file file{"routers.fst"};
    void* to = nullptr;
    std::vector<std::string> scopes;  ///< open scopes
    std::vector<vc_signals> all;
    double seconds = 0;  ///< time at which `timed_cycle` begins
    cycle_t timed_cycle = 0;
    cycle_t last = 0;
    bool begun = false, timed = false;  ///< true: the first cycle was written; this one has its time
};

bool router_waves::available() {
    return true;
}

router_waves::router_waves(fabric& net, packet_trace& packets, const setting& how)
    : m_parts(std::make_unique<parts>(net, packets, how)) {
    net.stepper().add_observer(*this);
}
router_waves::~router_waves() {
    stop();
}

void router_waves::cycle_over(cycle_t t) {
    m_parts->look(t);
}

void router_waves::stop() {
    if (m_parts->to == nullptr) return;
    m_parts->net.stepper().pass();
    m_parts->net.stepper().remove_observer(*static_cast<cycle_observer*>(this));
    m_parts->close();
}

void router_waves::write(std::ostream& out) const {
    m_parts->file.write(out);
}

}  // namespace sare
