// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <simics/device-api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

/// What stands for Simics in tests: a computer on an Ethernet link, an agent of the module at the link's
/// other end, its leader, and the library that a follower is linked with. All of a computer happens in its
/// follower's thread.
namespace sare::testing_support {

class fake_simics {
  public:
    static constexpr std::uint64_t latency =
        2'000'000;  ///< ps, of the link; so far Simics lets the follower go ahead

    /// A follower finds it by its number, as "port".
    explicit fake_simics(int port);
    ~fake_simics();
    fake_simics(const fake_simics&) = delete;
    fake_simics& operator=(const fake_simics&) = delete;

    /// The computer gets a frame, without its CRC, at a time.
    std::function<void(std::uint64_t time, const std::string& frame)> received;
    /// The computer sends one. `crc`: an eth_frame_crc_status_t.
    void send(std::uint64_t time, const std::string& frame, int crc = 0);
    void quit() { say({event::kind::bye, 0, 0, ""}); }
    /// Beside what it says by itself.
    void say_limit(std::uint64_t limit) { say({event::kind::limit, limit, 0, ""}); }

    std::vector<std::uint64_t> reports;

    /// @name The library and the objects, as functions in C call them
    /// @{
    struct event {
        enum class kind { limit, report_at, message, bye } what;
        std::uint64_t time, key;
        std::string bytes;
    };
    int descriptor() const { return m_ready[0]; }  ///< readable for as long as there is something to be said
    event next();
    void begin() { proceed(); }
    void take_report(std::uint64_t time);
    void take_message(std::uint64_t time, const std::string& bytes);
    void to_follower(std::uint64_t time, std::uint64_t key, const std::string& bytes);
    void to_computer(const std::string& bytes);
    std::uint64_t delivery_time() const { return m_delivery; }
    std::uint64_t delivery_key() const { return m_key; }
    static fake_simics* at(int port);
    /// @}

  private:
    struct thing : conf_object {
        fake_simics* simics = nullptr;
    };
    friend fake_simics& simics_of(const conf_object* o);

    void say(event e);
    void proceed();

    int m_port, m_ready[2] = {-1, -1};
    thing m_leader, m_endpoint;
    conf_object* m_agent = nullptr;
    std::deque<event> m_events;
    std::uint64_t m_now = 0, m_delivery = 0, m_key = 0;
};

}  // namespace sare::testing_support
