// SPDX-License-Identifier: Apache-2.0
#include "tb/dpi/sare_dpi.h"

#include "cosim/bench/plugin_bench.h"
#include "cosim/rtl/rtl_library.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace {

using namespace sare;
using pins::pin_flit;

/// A step of the bench at the pins of one port.
struct port_step {
    std::optional<pin_flit> in, out;
    std::uint32_t back_in = 0, back_out = 0;
};

/// The bench, in a thread of its own that stands still while its caller moves the pins, and the reverse.
class remote_bench {
  public:
    explicit remote_bench(cosim::plugin_case c, bool random)
        : m_case(std::move(c)), m_place(cosim::make_place(m_case)), m_ports(m_place->setting().ports) {
        cosim::plugin_run how;
        how.instead = [this](const auto&, const pins::router_info& info) {
            m_info = info;
            return std::make_unique<adapter>(*this);
        };
        m_thread = std::thread([this, how, random] {
            std::string found;
            try {
                found =
                    (random ? cosim::run_random(*m_place, m_case, how) : cosim::run(*m_place, m_case, how))
                        .text;
            } catch (const std::exception& problem) {
                found = problem.what();
            }
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_verdict = found;
            m_is_over = true;
            m_is_benchs = false;
            m_turns.notify_all();
        });
        wait(false);
    }
    ~remote_bench() {
        m_is_closed = true;
        while (next() != 0) {
        }
        m_thread.join();
    }

    /// Lets the bench run to its next step, see sare_dpi_next().
    int next() {
        if (std::exchange(m_has_begun, true) && !m_is_over) hand_over(true);
        return m_is_over ? 0 : m_step;
    }
    std::vector<port_step>& ports() { return m_ports; }
    const pins::router_info& info() const { return m_info; }
    const std::string& verdict() const { return m_verdict; }

  private:
    /// The router as the bench sees it.
    class adapter final : public pins::pin_adapter {
      public:
        explicit adapter(remote_bench& owner) : m_owner(owner) {}
        void reset() override { m_has_flits = false; }
        void drive(std::uint32_t port, const pin_flit* flit) override {
            m_has_flits = true;
            m_owner.m_ports[port].in = flit != nullptr ? std::optional(*flit) : std::nullopt;
        }
        void drive_back(std::uint32_t port, std::uint32_t vcs) override {
            m_owner.m_ports[port].back_in = vcs;
        }
        void settle() override {
            for (port_step& p : m_owner.m_ports) {
                p.out.reset();
                p.back_out = 0;
            }
            m_owner.m_step = m_has_flits ? 1 : 2;
            m_owner.hand_over(false);
            if (m_owner.m_is_closed) throw std::runtime_error("the bench was closed before its end");
        }
        bool read(std::uint32_t port, pin_flit& flit) override {
            const auto& seen = m_owner.m_ports[port].out;
            if (seen) flit = *seen;
            return seen.has_value();
        }
        std::uint32_t read_back(std::uint32_t port) override { return m_owner.m_ports[port].back_out; }
        void edge() override { m_has_flits = false; }

      private:
        remote_bench& m_owner;
        bool m_has_flits = false;  ///< true: flits of this cycle are set
    };

    /// Gives the turn to the other thread, and waits until it comes back.
    void hand_over(bool to_bench) {
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_is_benchs = to_bench;
            m_turns.notify_all();
        }
        wait(!to_bench);
    }
    void wait(bool bench) {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_turns.wait(lock, [&] { return m_is_benchs == bench || m_is_over; });
    }

    const cosim::plugin_case m_case;
    std::unique_ptr<cosim::plugin_place> m_place;
    std::vector<port_step> m_ports;
    pins::router_info m_info;
    std::string m_verdict;
    std::mutex m_mutex;
    std::condition_variable m_turns;
    bool m_is_benchs = true, m_is_over = false, m_is_closed = false;
    bool m_has_begun = false;  ///< true: next() was called
    int m_step = 0;
    std::thread m_thread;
};

std::string& error() {
    static thread_local std::string text;
    return text;
}

remote_bench& of(void* bench) {
    return *static_cast<remote_bench*>(bench);
}

remote_bench* open(const std::string& file, std::uint32_t router, std::uint32_t seed, std::uint32_t cycles) {
    cosim::plugin_case c = cosim::case_of_file(file, [&file] { return config::load_yaml(file); });
    if (c.experiment.find("plugin_case") != nullptr)
        return new remote_bench(cosim::read_plugin_case(c.experiment), false);
    c.router = router;
    c.seed = seed;
    c.cycles = cycles;
    return new remote_bench(std::move(c), true);
}

}  // namespace

/// SystemC's library wants one; nothing calls it.
extern "C" __attribute__((weak)) int sc_main(int, char**) {
    return 0;
}

void* sare_dpi_open(const char* file, uint32_t router, uint32_t seed, uint32_t cycles) {
    try {
        return open(file, router, seed, cycles);
    } catch (const std::exception& problem) {
        error() = problem.what();
        return nullptr;
    }
}

const char* sare_dpi_build(const char* top) {
    static thread_local std::string library;
    try {
        const std::filesystem::path file = std::filesystem::absolute(top);
        cosim::rtl_request r;
        r.top = file.stem();
        r.sources = file.parent_path();
        r.speed = cosim::rtl_speed::quick;
        library = cosim::rtl_library::get(r)->file();
        return library.c_str();
    } catch (const std::exception& problem) {
        error() = problem.what();
        return nullptr;
    }
}

const char* sare_dpi_error(void) {
    return error().c_str();
}

uint32_t sare_dpi_ports(void* bench) {
    return static_cast<uint32_t>(of(bench).ports().size());
}

uint32_t sare_dpi_route(void* bench, uint32_t node) {
    const auto& table = of(bench).info().port_to;
    return node < table.size() ? table[node] : pins::unsaid;
}

int32_t sare_dpi_next(void* bench) {
    return of(bench).next();
}

uint32_t sare_dpi_drive(void* bench, uint32_t port, uint32_t* head, uint32_t* tail, uint32_t* vc,
                        uint32_t* source, uint32_t* destination, uint32_t* length, uint32_t* out_port,
                        uint32_t* out_vcs, uint32_t* data) {
    const auto& flit = of(bench).ports().at(port).in;
    const pin_flit f = flit.value_or(pin_flit{});
    *head = f.head;
    *tail = f.tail;
    *vc = f.vc;
    *source = f.source;
    *destination = f.destination;
    *length = f.length;
    *out_port = f.port;
    *out_vcs = f.vcs;
    for (std::uint32_t k = 0; k < pins::payload::most_bits / 32; ++k)
        data[k] = static_cast<uint32_t>(f.data.word[k / 2] >> 32 * (k % 2));
    return flit.has_value();
}

uint32_t sare_dpi_drive_back(void* bench, uint32_t port) {
    return of(bench).ports().at(port).back_in;
}

void sare_dpi_read(void* bench, uint32_t port, uint32_t head, uint32_t tail, uint32_t vc,
                   const uint32_t* data) {
    pin_flit& f = of(bench).ports().at(port).out.emplace();
    f.head = head != 0;
    f.tail = tail != 0;
    f.vc = vc;
    for (std::uint32_t k = 0; k < pins::payload::most_bits / 32; ++k)
        f.data.word[k / 2] |= std::uint64_t{data[k]} << 32 * (k % 2);
}

void sare_dpi_read_back(void* bench, uint32_t port, uint32_t vcs) {
    of(bench).ports().at(port).back_out = vcs;
}

const char* sare_dpi_verdict(void* bench) {
    return of(bench).verdict().c_str();
}

void sare_dpi_close(void* bench) {
    delete static_cast<remote_bench*>(bench);
}
