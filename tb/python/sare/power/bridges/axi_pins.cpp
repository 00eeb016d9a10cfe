// SPDX-License-Identifier: Apache-2.0
/// Both bridges to AXI back to back, as the model has them, which equals the RTL in every cycle: what stands
/// on their pins under a designed stimulus, for replay in gates. Prints the counts of events.
///
///     axi_pins FOLDER key=value...
#include "cosim/axi/model/manager_model.h"
#include "cosim/axi/model/subordinate_model.h"

#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <random>

using namespace sare::axi;

namespace {

constexpr std::uint32_t reset_cycles = 4, manager_node = 5;
const region memory{0x1000000, 0x1ffffff, 9};
constexpr std::size_t hop_cycles = 8;  ///< from a bridge to the other

struct setting {
    std::map<std::string, double> all{{"flit_width", 72},
                                      {"data_width", 64},
                                      {"id_width", 4},
                                      {"transactions", 8},
                                      {"beats", 32},
                                      {"seed", 1},
                                      {"cycles", 1000},
                                      {"warmup", 30},
                                      // A transaction begins, it is a write, it has the most beats; a bit is
                                      // one; a channel takes, the network takes.
                                      {"begin", 0.1},
                                      {"writes", 0.5},
                                      {"long", 1},
                                      {"most", 4},
                                      {"ones", 0.5},
                                      {"take", 1},
                                      {"net", 1}};
    double operator[](const char* key) const { return all.at(key); }
    std::uint32_t count(const char* key) const { return static_cast<std::uint32_t>(all.at(key)); }
};

class dice {
  public:
    explicit dice(std::uint32_t seed) : m_random(seed) {}
    bool chance(double p) { return static_cast<double>(m_random()) < p * 4294967296.0; }
    std::uint32_t below(std::uint32_t n) { return m_random() % n; }
    wide data(std::uint32_t bits, double ones) {
        wide w;
        for (std::uint32_t k = 0; k < bits; ++k) w.set(k, 1, chance(ones) ? 1 : 0);
        return w;
    }

  private:
    std::mt19937 m_random;
};

/// All pins of a block, cycle by cycle. What is not valid stays as it was, as behind a register.
class recorder {
  public:
    struct pin {
        std::string name;
        bool is_output;
        std::uint32_t width;
        wide value;
        bool means = false;  ///< in this cycle, something
    };

    void put(const std::string& name, bool is_output, std::uint32_t width, const wide& value,
             bool valid = true) {
        auto& at = m_places[name];
        if (at == 0) {
            m_pins.push_back({name, is_output, width, {}});
            at = m_pins.size();
        }
        pin& p = m_pins[at - 1];
        p.means = valid;
        if (valid) p.value = value;
    }
    void put(const std::string& name, bool is_output, std::uint32_t width, std::uint64_t value,
             bool valid = true) {
        wide w;
        w.set(0, width, value);
        put(name, is_output, width, w, valid);
    }
    void end_cycle() {
        for (const pin& p : m_pins)
            for (std::uint32_t k = 0; k < p.width; ++k)
                m_bits.push_back(static_cast<char>(p.value.get(k, 1) | (p.means ? 2 : 0)));
    }
    void write(const std::string& file) const {
        std::ofstream out(file, std::ios::binary);
        for (const pin& p : m_pins) out << (p.is_output ? "out " : "in ") << p.name << ' ' << p.width << '\n';
        out << '\n';
        out.write(m_bits.data(), static_cast<std::streamsize>(m_bits.size()));
    }

  private:
    std::map<std::string, std::size_t> m_places;
    std::vector<pin> m_pins;
    std::vector<char> m_bits;
};

void put_address(recorder& r, const std::string& channel, bool out, const format& f, std::uint32_t id_width,
                 bool valid, const address& a) {
    const std::string end = out ? "_o" : "_i";
    const auto field = [&](const char* name, std::uint32_t width, std::uint64_t value) {
        r.put(channel + "_" + name + end, out, width, value, valid);
    };
    r.put(channel + "_valid" + end, out, 1, valid);
    field("id", id_width, a.id);
    field("addr", f.addr_width, a.addr);
    field("len", 8, a.len);
    field("size", 3, a.size);
    field("burst", 2, static_cast<std::uint64_t>(a.burst));
    field("lock", 1, a.lock);
    field("cache", 4, a.cache);
    field("prot", 3, a.prot);
    field("qos", 4, a.qos);
    field("region", 4, a.region);
    field("user", f.user_width, a.user);
}

/// `out`: of the bridge.
void put_forward(recorder& r, bool out, const format& f, std::uint32_t id_width, const forward_pins& p) {
    const std::string end = out ? "_o" : "_i";
    put_address(r, "ar", out, f, id_width, p.ar_valid, p.ar);
    put_address(r, "aw", out, f, id_width, p.aw_valid, p.aw);
    r.put("w_valid" + end, out, 1, p.w_valid);
    r.put("w_data" + end, out, f.data_width, p.w.slice(0, f.data_width), p.w_valid);
    r.put("w_strb" + end, out, f.strobes(), p.w.slice(f.data_width, f.strobes()), p.w_valid);
    r.put("w_last" + end, out, 1, p.w_last, p.w_valid);
    r.put("b_ready" + end, out, 1, p.b_ready);
    r.put("r_ready" + end, out, 1, p.r_ready);
}

void put_backward(recorder& r, bool out, const format& f, std::uint32_t id_width, const backward_pins& p) {
    const std::string end = out ? "_o" : "_i";
    r.put("ar_ready" + end, out, 1, p.ar_ready);
    r.put("aw_ready" + end, out, 1, p.aw_ready);
    r.put("w_ready" + end, out, 1, p.w_ready);
    r.put("b_valid" + end, out, 1, p.b_valid);
    r.put("b_id" + end, out, id_width, p.b_id, p.b_valid);
    r.put("b_resp" + end, out, 2, static_cast<std::uint64_t>(p.b_resp), p.b_valid);
    r.put("r_valid" + end, out, 1, p.r_valid);
    r.put("r_id" + end, out, id_width, p.r_id, p.r_valid);
    r.put("r_data" + end, out, f.data_width, p.r.slice(0, f.data_width), p.r_valid);
    r.put("r_resp" + end, out, 2, p.r.slice(f.data_width, 2), p.r_valid);
    r.put("r_last" + end, out, 1, p.r_last, p.r_valid);
}

void put_leaving(recorder& r, const std::string& name, const format& f, const leaving_flit& flit,
                 bool ready) {
    const bool valid = flit.what.valid;
    r.put(name + "_valid_o", true, 1, valid);
    r.put(name + "_tail_o", true, 1, flit.what.tail, valid);
    r.put(name + "_data_o", true, f.flit_width, flit.what.data, valid);
    r.put(name + "_node_o", true, f.node_width, flit.node, valid);
    r.put(name + "_length_o", true, 16, flit.length, valid);
    r.put(name + "_ready_i", false, 1, ready);
}

void put_coming(recorder& r, const std::string& name, const format& f, const stream_flit& flit, bool ready) {
    r.put(name + "_valid_i", false, 1, flit.valid);
    r.put(name + "_tail_i", false, 1, flit.tail, flit.valid);
    r.put(name + "_data_i", false, f.flit_width, flit.data, flit.valid);
    r.put(name + "_ready_o", true, 1, ready);
}

/// Flits of one direction of the network.
class pipe {
  public:
    stream_flit shown(std::size_t now) const {
        return !m_flits.empty() && m_flits.front().first <= now ? m_flits.front().second : stream_flit{};
    }
    void sent(std::size_t now, const stream_flit& flit) { m_flits.push_back({now + hop_cycles, flit}); }
    void taken() { m_flits.pop_front(); }

  private:
    std::deque<std::pair<std::size_t, stream_flit>> m_flits;
};

/// Asks as the stimulus says: bursts of whole words at random addresses of 16 MiB.
class asker {
  public:
    asker(const setting& s, const format& f) : m_s(s), m_f(f), m_random(s.count("seed")) {}

    forward_pins drive() {
        if (m_ar.size() + m_aw.size() < 4 && m_random.chance(m_s["begin"])) begin();
        forward_pins p;
        if ((p.ar_valid = !m_ar.empty())) p.ar = m_ar.front();
        if ((p.aw_valid = !m_aw.empty())) p.aw = m_aw.front();
        if ((p.w_valid = !m_w.empty())) {
            p.w = m_w.front().first;
            p.w_last = m_w.front().second;
        }
        p.b_ready = m_random.chance(m_s["take"]);
        p.r_ready = m_random.chance(m_s["take"]);
        return p;
    }
    void clock(const forward_pins& mine, const backward_pins& p) {
        if (mine.ar_valid && p.ar_ready) m_ar.pop_front();
        if (mine.aw_valid && p.aw_ready) m_aw.pop_front();
        if (mine.w_valid && p.w_ready) m_w.pop_front();
    }

  private:
    void begin() {
        const std::uint32_t most = std::min(m_s.count("most"), std::min(16u, m_s.count("beats"))),
                            beats = m_random.chance(m_s["long"]) ? most : 1 + m_random.below(most);
        address a;
        a.id = m_random.below(1u << m_f.id_width);
        a.size = static_cast<std::uint8_t>(std::log2(m_f.strobes()) + 0.5);
        a.addr = memory.first + m_random.below(1u << 24) / (16 * m_f.strobes()) * (16 * m_f.strobes());
        a.len = static_cast<std::uint8_t>(beats - 1);
        a.cache = 3;
        if (!m_random.chance(m_s["writes"])) return m_ar.push_back(a);
        m_aw.push_back(a);
        for (std::uint32_t k = 0; k < beats; ++k) {
            wide w = m_random.data(m_f.data_width, m_s["ones"]);
            for (std::uint32_t b = 0; b < m_f.strobes(); ++b) w.set(m_f.data_width + b, 1, 1);
            m_w.push_back({w, k + 1 == beats});
        }
    }

    const setting& m_s;
    const format& m_f;
    dice m_random;
    std::deque<address> m_ar, m_aw;
    std::deque<std::pair<wide, bool>> m_w;
};

/// A memory that answers in order, reads with data as the stimulus says.
class answerer {
  public:
    answerer(const setting& s, const format& f) : m_s(s), m_f(f), m_random(s.count("seed") + 1000) {}

    backward_pins drive() {
        backward_pins p;
        p.ar_ready = m_random.chance(m_s["take"]);
        p.aw_ready = m_random.chance(m_s["take"]);
        p.w_ready = m_random.chance(m_s["take"]);
        if ((p.b_valid = !m_b.empty())) p.b_id = m_b.front();
        if ((p.r_valid = !m_reads.empty())) {
            if (!m_shown) m_data = m_random.data(m_f.data_width, m_s["ones"]);
            m_shown = true;
            p.r = m_data;
            p.r_id = m_reads.front().id;
            p.r_last = m_place == m_reads.front().len;
        }
        return p;
    }
    void clock(const backward_pins& mine, const forward_pins& p) {
        if (mine.b_valid && p.b_ready) m_b.pop_front();
        if (mine.r_valid && p.r_ready) {
            m_shown = false;
            if (mine.r_last) m_reads.pop_front();
            m_place = mine.r_last ? 0 : m_place + 1;
        }
        if (p.ar_valid && mine.ar_ready) m_reads.push_back(p.ar);
        if (p.aw_valid && mine.aw_ready) m_writes.push_back(p.aw.id);
        if (p.w_valid && mine.w_ready && p.w_last) ++m_whole;
        if (m_whole > 0 && !m_writes.empty()) {
            m_b.push_back(m_writes.front());
            m_writes.pop_front();
            --m_whole;
        }
    }

  private:
    const setting& m_s;
    const format& m_f;
    dice m_random;
    std::deque<address> m_reads;
    std::deque<std::uint64_t> m_writes, m_b;
    std::uint32_t m_whole = 0, m_place = 0;
    bool m_shown = false;
    wide m_data;
};

/// Events of one bridge, by the names of tables of costs; and beats of AXI.
class counter {
  public:
    explicit counter(std::size_t warmup) : m_warmup(warmup) {}
    void sent(std::size_t now, bool flit, bool tail) {
        count(now, flit, tail, m_sends, "inject", "inject_head");
    }
    void burst(std::size_t now, bool flit) {
        if (flit && !m_busy) add(now, "inject_burst");
        m_busy = flit;
    }
    void came(std::size_t now, bool flit, bool tail) {
        count(now, flit, tail, m_comes, "eject", "eject_head");
    }
    void add(std::size_t now, const char* event, bool yes = true) { m_all[event] += yes && now >= m_warmup; }
    std::string json() const {
        std::string text;
        for (const auto& [name, n] : m_all)
            text += (text.empty() ? "{\"" : ", \"") + name + "\": " + std::to_string(n);
        return text + "}";
    }

  private:
    void count(std::size_t now, bool flit, bool tail, bool& within, const char* event, const char* head) {
        add(now, event, flit);
        add(now, head, flit && !within);
        if (flit) within = !tail;
    }

    std::size_t m_warmup;
    bool m_sends = false, m_comes = false, m_busy = false;
    std::map<std::string, std::uint64_t> m_all;
};

class bench {
  public:
    explicit bench(const setting& s)
        : m_s(s),
          m_f(format_of(s)),
          m_manager(manager_of(s), manager_node),
          m_memory({m_f, s.count("transactions"), s.count("transactions"), most_beats(s), s.count("beats")}),
          m_asks(s, m_f),
          m_answers(s, m_f),
          m_random(s.count("seed") + 2000),
          m_of{counter(s.count("warmup")), counter(s.count("warmup"))} {}

    void go() {
        for (std::uint32_t k = 0; k < reset_cycles; ++k) put({}, {}, {}, {}, false);
        for (std::size_t t = 0; t < m_s.count("cycles"); ++t) cycle(t);
    }
    void write(const std::string& folder) const {
        m_pins[0].write(folder + "/manager");
        m_pins[1].write(folder + "/subordinate");
        std::cout << "[" << m_of[0].json() << ", " << m_of[1].json() << "]\n";
    }

  private:
    static format format_of(const setting& s) {
        format f;
        f.data_width = s.count("data_width");
        f.flit_width = s.count("flit_width");
        f.id_width = s.count("id_width");
        return f;
    }
    static std::uint32_t most_beats(const setting& s) { return std::min(16u, s.count("beats")); }
    static manager_params manager_of(const setting& s) {
        const std::uint32_t n = s.count("transactions"), beats = s.count("beats");
        return {format_of(s), n, n, n, false, most_beats(s), beats, beats, {memory}};
    }

    void put(const manager_bridge::inputs& mi, const manager_bridge::outputs& mo,
             const subordinate_bridge::inputs& si, const subordinate_bridge::outputs& so, bool runs) {
        recorder &m = m_pins[0], &s = m_pins[1];
        for (recorder* r : {&m, &s}) r->put("rst_ni", false, 1, runs);
        m.put("node_i", false, m_f.node_width, manager_node);
        put_forward(m, false, m_f, m_f.id_width, mi.axi);
        put_backward(m, true, m_f, m_f.id_width, mo.axi);
        put_leaving(m, "req", m_f, mo.req, mi.req_ready != 0);
        put_coming(m, "rsp", m_f, mi.rsp, mo.rsp_ready);
        put_forward(s, true, m_f, m_f.id_width + m_f.node_width, so.axi);
        put_backward(s, false, m_f, m_f.id_width + m_f.node_width, si.axi);
        put_coming(s, "req", m_f, si.req.empty() ? stream_flit{} : si.req[0], so.req_ready != 0);
        put_leaving(s, "rsp", m_f, so.rsp, si.rsp_ready);
        for (recorder* r : {&m, &s}) r->end_cycle();
    }

    void cycle(std::size_t t) {
        const manager_bridge::outputs mo = m_manager.out();
        const subordinate_bridge::outputs so = m_memory.out();
        manager_bridge::inputs mi;
        mi.axi = m_asks.drive();
        mi.req_ready = m_random.chance(m_s["net"]) ? 1 : 0;
        mi.rsp = m_responses.shown(t);
        subordinate_bridge::inputs si;
        si.axi = m_answers.drive();
        si.req = {m_requests.shown(t)};
        si.rsp_ready = m_random.chance(m_s["net"]);
        put(mi, mo, si, so, true);
        count(t, mi, mo, si, so);
        move(t, mo.req.what, mi.req_ready != 0, m_requests);
        move(t, so.rsp.what, si.rsp_ready, m_responses);
        if (mi.rsp.valid && mo.rsp_ready) m_responses.taken();
        if (si.req[0].valid && so.req_ready != 0) m_requests.taken();
        m_asks.clock(mi.axi, mo.axi);
        m_answers.clock(si.axi, so.axi);
        m_manager.clock(mi);
        m_memory.clock(si);
    }
    static void move(std::size_t t, const stream_flit& flit, bool ready, pipe& to) {
        if (flit.valid && ready) to.sent(t, flit);
    }

    void count(std::size_t t, const manager_bridge::inputs& mi, const manager_bridge::outputs& mo,
               const subordinate_bridge::inputs& si, const subordinate_bridge::outputs& so) {
        count_flits(m_of[0], t, mo.req.what, mi.req_ready != 0, mi.rsp, mo.rsp_ready);
        count_flits(m_of[1], t, so.rsp.what, si.rsp_ready, si.req[0], so.req_ready != 0);
        count_beats(m_of[0], t, mi.axi, mo.axi);
        count_beats(m_of[1], t, so.axi, si.axi);
    }
    static void count_flits(counter& of, std::size_t t, const stream_flit& out, bool out_taken,
                            const stream_flit& in, bool in_taken) {
        of.sent(t, out.valid && out_taken, out.tail);
        of.burst(t, out.valid && out_taken);
        of.came(t, in.valid && in_taken, in.tail);
    }
    static void count_beats(counter& of, std::size_t t, const forward_pins& f, const backward_pins& b) {
        of.add(t, "ar", f.ar_valid && b.ar_ready);
        of.add(t, "aw", f.aw_valid && b.aw_ready);
        of.add(t, "w", f.w_valid && b.w_ready);
        of.add(t, "b", b.b_valid && f.b_ready);
        of.add(t, "r", b.r_valid && f.r_ready);
        of.add(t, "clock");
    }

    const setting& m_s;
    format m_f;
    manager_model m_manager;
    subordinate_model m_memory;
    asker m_asks;
    answerer m_answers;
    dice m_random;
    pipe m_requests, m_responses;
    recorder m_pins[2];
    counter m_of[2];
};

}  // namespace

int main(int argc, char** argv) {
    setting s;
    for (int k = 2; k < argc; ++k) {
        const std::string text = argv[k];
        const std::size_t at = text.find('=');
        if (at == std::string::npos || s.all.count(text.substr(0, at)) == 0) {
            std::cerr << "axi_pins: unknown: " << text << '\n';
            return 2;
        }
        s.all[text.substr(0, at)] = std::stod(text.substr(at + 1));
    }
    bench b(s);
    b.go();
    b.write(argc > 1 ? argv[1] : ".");
}
