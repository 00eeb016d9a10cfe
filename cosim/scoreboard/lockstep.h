// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_list.h"
#include "cosim/scoreboard/event_history.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sare::cosim {

/// Kinds of the two machines that run in lock step.
enum class compared_machines : std::uint8_t {
    model_and_rtl,
    old_and_new_rtl,
    two_initial_states,  ///< one RTL twice, with other values in its registers before reset
};

/// The first difference of two machines, or the first act of RTL that no router may do.
struct divergence {
    cycle_t cycle = 0;  ///< cycle of the difference
    /// Cycle of an earlier cause: arrival of a flit that has not left since, or departure of a flit whose
    /// credit has not come back since. 0: none is known.
    cycle_t since = 0;
    /// Name of the block that differs: the SystemC name of its module in a network; "router" for a router
    /// that is tested alone.
    std::string instance;
    std::uint32_t router = 0;           ///< router of the block in a network; 0 for one that is tested alone
    std::optional<std::uint32_t> node;  ///< node whose NIC differs; none: the router differs
    std::string place;                  ///< "port 1", "class 0"; "": the pin needs none
    /// Name of the output pin that differs. If `model` and `rtl` are equal: message of the violation, or of
    /// the exception by which one machine differs from the other.
    std::string pin;
    /// Values of the pin in the first and in the second machine, see `machines`. Equal: no
    /// pin differs, and `pin` is a message.
    std::uint64_t model = 0, rtl = 0;
    /// Text of the flit that the first machine sends there, or else of the second machine's: VC, packet,
    /// nodes, place in the packet, kind. "": neither sends one, or the pair keeps no history.
    std::string flit;
    /// Last 12 events at most (flits and credits, in and out) at the port that differs, one a line, oldest
    /// first; those of all ports if no port is known or nothing has passed there. Empty: the pair keeps no
    /// history.
    std::vector<std::string> history;
    compared_machines machines = compared_machines::model_and_rtl;

    /// Returns the divergence in one line: cycle, instance, place, pin with both values, flit.
    std::string text() const;
};

/// The comparison of two machines in lock step, with their first difference.
class comparison {
  public:
    const std::optional<divergence>& first_divergence() const { return m_divergence; }
    /// The first difference in one line; "": both agree so far.
    std::string first_difference() const { return m_divergence ? m_divergence->text() : ""; }
    /// Number of cycles compared, up to and with that of the first difference.
    std::uint64_t cycles_compared() const { return m_compared; }
    /// Makes the second machine run on after a difference, up to cycle `last`, for its waves.
    void run_both_until(cycle_t last) { m_last_wave = last; }

  protected:
    /// `name`: divergence::instance.
    comparison(std::string name, compared_machines machines)
        : m_name(std::move(name)), m_machines(machines) {}
    ~comparison() = default;

    /// A step of one machine: the pins that it lists, and the exception that it throws.
    class trial {
      public:
        template <class Does>
        void run(const Does& does) {
            pins.clear();
            problem.clear();
            thrown = nullptr;
            try {
                does(pins);
            } catch (const std::exception& failed) {
                problem = failed.what();
                thrown = std::current_exception();
            }
        }
        pin_list pins;
        std::string problem;        ///< text of the exception; "": none
        std::exception_ptr thrown;  ///< the exception; null: none
    };
    /// Compares the same step of both machines, and notes their first difference.
    void compare(const trial& first, const trial& second);
    /// True if the second machine still runs.
    bool runs_second() const { return !m_divergence || m_cycle <= m_last_wave; }
    /// Ends a cycle of the comparison.
    void end_cycle() {
        if (!m_divergence || m_divergence->cycle == m_cycle) ++m_compared;
        ++m_cycle;
    }

    cycle_t m_cycle = 1;                     ///< current cycle, from 1
    std::optional<event_history> m_history;  ///< events for divergence::history; none: they are not kept

  private:
    void compare_pins(const pin_list& first, const pin_list& second);
    void note(divergence found, std::uint32_t port);

    std::string m_name;
    compared_machines m_machines;
    std::optional<divergence> m_divergence;
    std::uint64_t m_compared = 0;  ///< number of cycles compared
    cycle_t m_last_wave = 0;       ///< see run_both_until()
};

/// Two machines behind the same pins in lock step, see compared_machines. Both get the same
/// inputs, and every output pin that has a meaning is compared in every cycle. The pair's outputs are those
/// of the first machine. After a difference the first machine runs alone, since later differences prove
/// nothing. A derived class runs each step by both().
template <class Pins>
class lockstep : public Pins, public comparison {
  public:
    /// Ends both machines, unless they have differed: then `final` blocks prove nothing.
    void finish() final {
        if (first_divergence()) return;
        --m_cycle;  // the last one
        both([](Pins& machine, pin_list&) {
            machine.finish();
            return true;
        });
    }

  protected:
    lockstep(std::string name, std::unique_ptr<Pins> first, std::unique_ptr<Pins> second,
             compared_machines machines)
        : comparison(std::move(name), machines), m_first(std::move(first)), m_second(std::move(second)) {}

    bool is_first(const Pins& machine) const { return &machine == m_first.get(); }
    const Pins& first() const { return *m_first; }
    Pins& second() { return *m_second; }

    /// Runs a step, `does(machine, pins)`, for the first machine and then for the second, and compares the
    /// pins that the two list. Returns the result, or throws the exception, of the first machine.
    template <class Does>
    auto both(const Does& does) {
        decltype(does(*m_first, m_trials[0].pins)) value{};
        m_trials[0].run([&](pin_list& pins) { value = does(*m_first, pins); });
        if (runs_second()) {
            m_trials[1].run([&](pin_list& pins) { does(*m_second, pins); });
            compare(m_trials[0], m_trials[1]);
        }
        if (m_trials[0].thrown) std::rethrow_exception(m_trials[0].thrown);
        return value;
    }

  private:
    std::unique_ptr<Pins> m_first, m_second;
    trial m_trials[2];
};

}  // namespace sare::cosim
