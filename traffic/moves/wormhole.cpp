// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "traffic/moves/chips.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <streambuf>
#include <tuple>

/// NoC traces of Tenstorrent's profiler: a flat JSON array of events, sorted by place, processor and time.
namespace sare::traffic {
namespace {

using json = nlohmann::json;

/// A stream's buffer with a count of its lines, which parser and errors share.
class counted_bytes final : public std::streambuf {
  public:
    explicit counted_bytes(text_stream& from) : m_from(from) {}
    int line() const { return m_lines + static_cast<int>(std::count(eback(), gptr(), '\n')); }

  protected:
    int_type underflow() override {
        m_lines = line();
        const std::size_t got = m_from.read(m_block, sizeof m_block);
        setg(m_block, m_block, m_block + got);
        return got == 0 ? traits_type::eof() : traits_type::to_int_type(m_block[0]);
    }

  private:
    text_stream& m_from;
    char m_block[16384];
    int m_lines = 1;
};

/// The destination and size that a *_SET_STATE leaves for the *_WITH_STATE that follow.
struct command_state {
    bool known = false;
    grid_position to;
    std::uint32_t bytes = 0;
};

/// A processor while its events come.
struct reading {
    processor what;
    bool begun = false;
    std::uint64_t kernel = 0, base = 0, last = 0;  ///< timestamps
    std::uint64_t opened = 0;                      ///< timestamp of the barrier that has started; 0: none
    std::string opened_type;
    std::map<std::pair<std::uint8_t, bool>, command_state> states;  ///< by plane, and whether of writes
    /// Waits for semaphores, and the first event after each, which says how long it took at most.
    std::vector<std::pair<std::size_t, std::uint64_t>> waits;
    bool wait_is_open = false;
};

class wormhole_reader {
  public:
    wormhole_reader(const std::string& path, const recording_grid& grid, const config::location& named_at)
        : m_text(path, named_at), m_bytes(m_text), m_grid(grid) {}

    recording read() {
        std::istream in(&m_bytes);
        bool is_list = true;
        const auto each = [&](int depth, json::parse_event_t what, json& parsed) {
            if (depth == 0 && what == json::parse_event_t::object_start) is_list = false;
            if (depth != 1 || what == json::parse_event_t::key) return true;
            if (what == json::parse_event_t::object_end && is_list) take(parsed);
            return what == json::parse_event_t::object_start || what == json::parse_event_t::array_start;
        };
        try {
            const json rest = json::parse(in, each);
            if (!rest.is_array()) fail("the trace must be a list of events: [{...}, ...]");
        } catch (const json::out_of_range&) {
            fail("a number is beyond all that a double holds");
        } catch (const json::parse_error&) {
            fail("this is not valid JSON");
        }
        return finish();
    }

  private:
    static constexpr std::uint64_t latest = std::uint64_t{1} << 62;

    [[noreturn]] void fail(const std::string& what) const {
        throw config::error({m_text.path(), m_bytes.line(), 1}, what);
    }
    void warn(const std::string& what) {
        if (m_said.insert(what).second) m_recording.warnings.push_back(m_text.path() + ": " + what);
    }

    std::uint64_t number(const json& e, const char* key, std::uint64_t most) const {
        const auto found = e.find(key);
        if (found == e.end()) fail("an event lacks '" + std::string(key) + "'");
        if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most)
            fail(fmt::format("'{}' is {}; it must be an integer from 0 to {}", key, found->dump(), most));
        return found->get<std::uint64_t>();
    }
    grid_position place(const json& e, const char* x, const char* y) const {
        return {static_cast<std::uint32_t>(number(e, x, m_grid.width - 1)),
                static_cast<std::uint32_t>(number(e, y, m_grid.height - 1))};
    }
    static std::string text(const json& e, const char* key) {
        const auto found = e.find(key);
        return found != e.end() && found->is_string() ? found->get<std::string>() : "";
    }
    static bool has(const json& e, const char* key) {
        const auto found = e.find(key);
        return found != e.end() && found->is_number_unsigned();
    }

    /// Finds the chip of an event. Those without one, such as the begins of kernels, are of the chip of later
    /// events of the same program (run_host_id), and wait for the first of these. Returns false if it waits.
    bool find_chip(const json& e, grid_position& at) {
        if (m_grid.links == nullptr) return true;
        const std::uint64_t program = number(e, "run_host_id", latest);
        const auto known = m_chip_of.find(program);
        if (!has(e, "src_device_id")) {
            if (known == m_chip_of.end())
                m_waiting[program].push_back(e);
            else
                at.chip = known->second;
            return known != m_chip_of.end();
        }
        const std::uint64_t device = number(e, "src_device_id", latest);
        const auto chip = m_grid.links->chip(device);
        if (!chip) fail(fmt::format("chip {} is not in the topology", device));
        at.chip = *chip;
        if (known != m_chip_of.end() && known->second == *chip) return true;
        if (known != m_chip_of.end())
            fail(fmt::format("'run_host_id' {} is of two chips; it must tell them apart", program));
        m_chip_of[program] = *chip;
        for (const json& each : m_waiting[program]) take(each);
        m_waiting.erase(program);
        return true;
    }

    void take(const json& e) {
        grid_position at = place(e, "sx", "sy");
        if (!find_chip(e, at)) return;
        const std::uint64_t time = number(e, "timestamp", latest);
        const std::string zone = text(e, "zone");
        const std::string kernel = "-KERNEL";
        if (!zone.empty()) {
            const bool is_kernel = zone.size() > kernel.size() &&
                                   zone.compare(zone.size() - kernel.size(), kernel.size(), kernel) == 0;
            const std::string phase = text(e, "zone_phase");
            if (is_kernel && (phase == "begin" || phase == "ZONE_START"))
                begin(of(at, text(e, "proc")), time);
            return;
        }
        const std::string type = text(e, "type");
        if (type.empty()) fail("an event is neither a zone nor has a 'type'");
        reading& r = of(at, text(e, "proc"));
        if (time < r.last)
            fail(
                fmt::format("timestamp {} is before that of the event before it; the events of a processor "
                            "must be in order of time",
                            time));
        if (!r.begun) begin(r, time);
        r.last = time;
        if (r.wait_is_open) {
            r.waits.back().second = time;
            r.wait_is_open = false;
        }
        event(r, e, type, time);
    }

    reading& of(const grid_position& at, const std::string& name) {
        const auto [found, is_new] = m_numbers.try_emplace({at.chip, at.x, at.y, name}, m_readings.size());
        if (is_new) {
            m_readings.emplace_back();
            m_readings.back().what = {at, name, {}, 0};
        }
        return m_readings[found->second];
    }

    /// Begins a kernel. The profiler writes its begin again where it had to empty its buffer in between.
    void begin(reading& r, std::uint64_t time) {
        if (r.begun && time == r.kernel) return;
        if (time < r.last) fail("a kernel begins before what its processor has done");
        move m;
        m.what = move::kind::begin;
        m.after = r.begun ? time - r.base : 0;
        m.recorded = time;
        r.what.moves.push_back(m);
        r.begun = true;
        r.kernel = r.base = r.last = time;
        m_first = std::min(m_first, time);
    }

    static bool ends_with(const std::string& type, const std::string& end) {
        return type.size() >= end.size() && type.compare(type.size() - end.size(), end.size(), end) == 0;
    }

    void event(reading& r, const json& e, const std::string& type, std::uint64_t time) {
        const bool read = type.compare(0, 4, "READ") == 0, write = type.compare(0, 5, "WRITE") == 0;
        if (type.find("BARRIER") != std::string::npos || type.find("FLUSH") != std::string::npos)
            return barrier(r, type, time);
        if (ends_with(type, "SET_TRID")) return;
        if (ends_with(type, "SET_STATE") && (read || write)) return set_state(r, e, write);
        if (type == "SEMAPHORE_SET") return;  // of its own place
        move m;
        m.after = time - r.base;
        if (type == "SEMAPHORE_WAIT") {
            m.what = move::kind::await_signals;
            r.waits.emplace_back(r.what.moves.size(), time);
            r.wait_is_open = true;
            r.what.moves.push_back(m);
            return;
        }
        const bool signal = type == "SEMAPHORE_INC";
        const bool forward = m_grid.links != nullptr && type == "FABRIC_UNICAST_WRITE";
        if (!read && !write && !signal && !forward) return warn("events of type '" + type + "' are left out");
        m.plane = plane(e);
        m.what = signal    ? move::kind::signal
                 : forward ? move::kind::forward
                 : read    ? move::kind::read
                           : move::kind::write;
        if (const auto posted = e.find("posted"); posted != e.end() && posted->is_boolean())
            m.acknowledged = !posted->get<bool>();
        find_target(r, e, type, m);
        if (signal || (write && m.bytes <= move::signal_bytes)) remember_signal(m, time);
        r.what.moves.push_back(m);
    }

    std::uint8_t plane(const json& e) const {
        const std::string name = text(e, "noc");
        const auto found = std::find(m_grid.planes.begin(), m_grid.planes.end(), name);
        if (found != m_grid.planes.end()) return static_cast<std::uint8_t>(found - m_grid.planes.begin());
        fail("'noc' is '" + name + "'; the planes of the workload are: " + joined(m_grid.planes));
    }

    std::uint32_t size(const json& e) const {
        constexpr std::uint64_t most = std::uint64_t{1} << 27;
        return static_cast<std::uint32_t>(number(e, "num_bytes", most));
    }

    void set_state(reading& r, const json& e, bool write) const {
        command_state& s = r.states[{plane(e), write}];
        s.known = has(e, "dx");
        if (s.known) s.to = place(e, "dx", "dy");
        s.to.chip = r.what.at.chip;
        if (has(e, "num_bytes")) s.bytes = size(e);
    }

    void find_target(reading& r, const json& e, const std::string& type, move& m) const {
        if (e.contains("num_bytes")) m.bytes = size(e);
        if (type.find("WITH_STATE") != std::string::npos) {
            const command_state& s = r.states[{m.plane, m.what != move::kind::read}];
            if (m.bytes == 0) m.bytes = s.bytes;
            if (!has(e, "dx")) {
                if (!s.known) fail("'" + type + "' has no destination, and no SET_STATE before it says one");
                m.to = s.to;
                return;
            }
        }
        if (!has(e, "mcast_start_x")) {
            m.to = place(e, "dx", "dy");
            m.to.chip = r.what.at.chip;
            if (m.what == move::kind::forward) find_way(e, m);
            return;
        }
        m.what = move::kind::multicast;
        const grid_position a = place(e, "mcast_start_x", "mcast_start_y"),
                            b = place(e, "mcast_end_x", "mcast_end_y");
        m.to = {std::min(a.x, b.x), std::min(a.y, b.y), r.what.at.chip};
        m.end = {std::max(a.x, b.x), std::max(a.y, b.y), r.what.at.chip};
    }

    /// Finds the links between chips that a write takes, and the chip where it ends.
    void find_way(const json& e, move& m) const {
        const auto given = e.find("fabric_send");
        if (given == e.end() || !given->is_object()) fail("an event lacks 'fabric_send'");
        const std::uint64_t device = number(e, "src_device_id", latest);
        const auto channel = static_cast<std::uint32_t>(number(*given, "eth_chan", 9999)),
                   hops = static_cast<std::uint32_t>(number(*given, "hops", 9999));
        m.way = m_grid.links->way(device, channel, hops);
        if (m.way.empty())
            fail(fmt::format("the topology has no way of {} links from channel {} of chip {}", hops, channel,
                             device));
        m.to.chip = m.way.back().chip;
    }

    void barrier(reading& r, const std::string& type, std::uint64_t time) {
        if (type.find("TRID") != std::string::npos)
            return warn("'" + type +
                        "' waits for some transfers, and the trace does not say which: left out");
        const bool ends = ends_with(type, "_END"), starts = ends_with(type, "_START");
        const std::string name = type.substr(0, type.size() - (ends ? 4 : starts ? 6 : 0));
        if (ends && (r.opened == 0 || r.opened_type != name)) fail("'" + type + "' has no start before it");
        if (!ends && r.opened != 0) fail("'" + type + "' begins before " + r.opened_type + " has ended");
        r.opened_type = name;
        if (starts) {
            r.opened = time;
            return;
        }
        move m;
        m.what = move::kind::barrier;
        m.reads = name == "READ_BARRIER" || name == "FULL_BARRIER";
        m.writes = name == "WRITE_BARRIER" || name == "FULL_BARRIER" || name == "ATOMIC_BARRIER";
        m.departures = name == "WRITE_FLUSH";
        m.timed = ends;
        m.after = (ends ? r.opened : time) - r.base;
        m.recorded = time;
        r.what.moves.push_back(m);
        if (!ends) return;
        r.base = time;
        r.opened = 0;
    }

    void remember_signal(const move& m, std::uint64_t time) {
        const grid_position end = m.what == move::kind::multicast ? m.end : m.to;
        for (std::uint32_t x = m.to.x; x <= end.x; ++x)
            for (std::uint32_t y = m.to.y; y <= end.y; ++y) m_signals[{m.to.chip, x, y}].push_back(time);
    }

    /// Ends the reading. A wait for a semaphore is for the signals that had been sent when it was over on the
    /// chip: the trace has no values. Chains of such waits go back in recorded time: none waits for itself.
    recording finish() {
        for (const auto& [program, events] : m_waiting)
            if (std::any_of(events.begin(), events.end(), [](const json& e) { return e.contains("type"); }))
                fail(fmt::format("no event of 'run_host_id' {} has 'src_device_id', which says its chip",
                                 program));
        for (reading& r : m_readings) {
            if (r.opened != 0) {
                r.what.moves.emplace_back();
                move& m = r.what.moves.back();
                m.what = move::kind::barrier;
                m.reads = m.writes = true;
                m.after = r.opened - r.base;
            }
            auto& signals = m_signals[{r.what.at.chip, r.what.at.x, r.what.at.y}];
            std::sort(signals.begin(), signals.end());
            for (const auto& [place, until] : r.waits)
                r.what.moves[place].count = static_cast<std::uint32_t>(
                    std::lower_bound(signals.begin(), signals.end(), until) - signals.begin());
            for (move& m : r.what.moves)
                if (m.what == move::kind::begin || m.timed) m.recorded -= m_first;
            r.what.last = r.last - m_first;
            m_recording.processors.push_back(std::move(r.what));
        }
        if (m_recording.processors.empty()) fail("the trace has no event");
        return std::move(m_recording);
    }

    text_stream m_text;
    counted_bytes m_bytes;
    recording_grid m_grid;
    std::map<std::uint64_t, std::uint32_t> m_chip_of;      ///< chip of each program
    std::map<std::uint64_t, std::vector<json>> m_waiting;  ///< events of programs whose chip is not known
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>, std::size_t> m_numbers;
    std::vector<reading> m_readings;
    /// Timestamps of the signals to each place, by chip, x and y.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> m_signals;
    std::uint64_t m_first = ~std::uint64_t{0};
    recording m_recording;
    std::set<std::string> m_said;
};

}  // namespace

recording read_wormhole(const std::string& path, const recording_grid& grid,
                        const config::location& named_at) {
    return wormhole_reader(path, grid, named_at).read();
}

}  // namespace sare::traffic
