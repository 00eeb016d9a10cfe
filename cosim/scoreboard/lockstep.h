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

/// Kinds of pairs of machines that run in lock step; the machine named first is the first one of the pair.
enum class compared_machines : std::uint8_t {
    model_and_rtl,       ///< the model, and RTL
    old_and_new_rtl,     ///< older RTL, and the RTL that is tested
    two_initial_states,  ///< one RTL twice, with different values in its registers before reset
};

/// The first difference between two machines that should be alike, or the first act of a machine that no
/// router may do.
struct divergence {
    cycle_t cycle = 0;  ///< cycle of the difference; cycles count from 1
    /// Cycle of an earlier event that explains it: the arrival of a flit that has not left since, or the
    /// departure of a flit for which no credit has come since. 0: none is known.
    cycle_t since = 0;
    /// Name of the block that differs: the hierarchical SystemC name of its module in a network; "router" for
    /// a router that is tested alone.
    std::string instance;
    std::uint32_t router = 0;  ///< number of the router of the block in a network; 0 for a router that is
                               ///< tested alone
    std::optional<std::uint32_t> node;  ///< node whose NIC differs; nothing: the router differs
    std::string place;  ///< port or message class of the pin, such as "port 1" or "class 0"; empty: the name
                        ///< of the pin says it
    /// Name of the output pin that differs, if `model` and `rtl` are different; else the message of the
    /// violation, or of the exception that only one of the machines has thrown.
    std::string pin;
    /// Values of the pin in the first machine (`model`) and in the second (`rtl`); `machines` says which
    /// these are. If they are equal, `pin` is a message, and no pin differs.
    std::uint64_t model = 0, rtl = 0;
    /// Flit at the port that differs, as text: VC, packet, nodes, place in the packet, kind. It is the first
    /// machine's, or if that sends none, the second's. Empty: neither sends one, or the comparison stores no
    /// events.
    std::string flit;
    /// The last events (flits and credits, in and out), at most 12, at the port that differs, one a line, the
    /// oldest first; those of all ports together if no port is known or nothing has passed there. Empty: the
    /// comparison stores no events.
    std::vector<std::string> history;
    compared_machines machines = compared_machines::model_and_rtl;  ///< kind of the pair of machines

    /// Returns the divergence in one line: cycle, instance, place, pin with both values, flit; or cycle,
    /// instance and message.
    std::string text() const;
};
/// Returns the divergence with the lower cycle; `a` if both have the same; the other one if one is missing;
/// nothing if both are.
inline std::optional<divergence> earlier(const std::optional<divergence>& a,
                                         const std::optional<divergence>& b) {
    return a && (!b || a->cycle <= b->cycle) ? a : b;
}

/// A comparison of two machines cycle by cycle, which stores their first difference.
class comparison {
  public:
    /// The first difference; nothing: there was none so far.
    const std::optional<divergence>& first_divergence() const { return m_divergence; }
    /// Returns the first difference in one line; empty if there was none so far.
    std::string first_difference() const { return m_divergence ? m_divergence->text() : ""; }
    /// Returns the number of cycles compared: all so far, or those up to the cycle of the first difference,
    /// included.
    std::uint64_t cycles_compared() const { return m_compared; }
    /// Lets the second machine run on after a difference, up to cycle `last`, included, so that waves show
    /// it; without this call it stops at the difference.
    void run_both_until(cycle_t last) { m_last_wave = last; }

  protected:
    /// `name`: becomes divergence::instance. `machines`: becomes divergence::machines.
    comparison(std::string name, compared_machines machines)
        : m_name(std::move(name)), m_machines(machines) {}
    ~comparison() = default;

    /// One step of one machine: the output pins that it has listed, and the exception that it has thrown.
    class trial {
      public:
        /// Clears the results of the step before, then calls does(pins); stores a std::exception that it
        /// throws.
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
        pin_list pins;              ///< output pins that the machine has listed
        std::string problem;        ///< text of the exception; empty: none was thrown
        std::exception_ptr thrown;  ///< the exception; null: none was thrown
    };
    /// Compares the same step of both machines; stores the difference if it is the first one.
    void compare(const trial& first, const trial& second);
    /// Returns true if the second machine is to be run in this cycle: there was no difference so far, or the
    /// cycle is not after the one given to run_both_until().
    bool runs_second() const { return !m_divergence || m_cycle <= m_last_wave; }
    /// Ends a cycle of the comparison: counts it, and goes on to the next one.
    void end_cycle() {
        if (!m_divergence || m_divergence->cycle == m_cycle) ++m_compared;
        ++m_cycle;
    }

    cycle_t m_cycle = 1;                     ///< present cycle, from 1
    std::optional<event_history> m_history;  ///< the last events, for divergence::history; nothing: no events
                                             ///< are stored

  private:
    void compare_pins(const pin_list& first, const pin_list& second);
    void note(divergence found, std::uint32_t port);

    std::string m_name;
    compared_machines m_machines;
    std::optional<divergence> m_divergence;
    std::uint64_t m_compared = 0;  ///< number of cycles compared
    /// Last cycle in which the second machine runs after a difference (run_both_until()).
    cycle_t m_last_wave = 0;
};

/// Two machines with the same pins, of type `Pins`, that run in lock step; compared_machines lists the kinds
/// of pairs. Both get the same inputs, and in every cycle every output pin that has a meaning is compared.
/// The outputs of the pair are those of the first machine. After a difference the first machine runs alone,
/// since later differences prove nothing. A derived class overrides the functions of `Pins`, and runs each
/// step by both().
template <class Pins>
class lockstep : public Pins, public comparison {
  public:
    /// Calls finish() of both machines; does nothing if they have differed, as `final` blocks then prove
    /// nothing.
    void finish() final {
        if (first_divergence()) return;
        --m_cycle;  // the last one
        both([](Pins& machine, pin_list&) {
            machine.finish();
            return true;
        });
    }

  protected:
    /// `name`: becomes divergence::instance; `machines`: kind of the pair; `first`, `second`: the two
    /// machines.
    lockstep(std::string name, std::unique_ptr<Pins> first, std::unique_ptr<Pins> second,
             compared_machines machines)
        : comparison(std::move(name), machines), m_first(std::move(first)), m_second(std::move(second)) {}

    /// Returns true if `machine` is the first of the two.
    bool is_first(const Pins& machine) const { return &machine == m_first.get(); }
    const Pins& first() const { return *m_first; }  ///< the machine whose outputs are those of the pair
    Pins& second() { return *m_second; }

    /// Calls does(machine, pins) for the first machine and then, if runs_second(), for the second; each call
    /// lists its output pins. Compares the two lists up to the end of the shorter one, and the texts of the
    /// exceptions. Returns the result of the first call, or throws the exception that it has thrown.
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
