// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/checker.h"
#include "cosim/axi/clocked.h"
#include "cosim/axi/random/ends.h"
#include "cosim/scoreboard/violation_handler.h"

#include <iostream>

/// Random managers and memories (ends.h), and a checker of pins, as clocked modules for the AXI pins of a
/// node.
namespace sare::axi {

/// A random manager at the AXI pins of a node.
class manager_module final : public clocked {
  public:
    sc_core::sc_out<forward_pins> out{"out"};
    sc_core::sc_in<backward_pins> in{"in"};

    manager_module(const sc_core::sc_module_name& name, random_manager behaviour)
        : clocked(name), manager(std::move(behaviour)) {}
    const char* kind() const override { return "sare::axi::manager_module"; }
    /// Prints to `to` the module as sc_object::dump() does, its numbers of transactions and its first error.
    void dump(std::ostream& to = std::cout) const override {
        sc_core::sc_object::dump(to);
        to << "transactions = " << manager.done() << ", of addresses of no node = " << manager.lost()
           << (manager.idle() ? "" : ", some open") << '\n';
        if (!manager.first_error().empty()) to << "error: " << manager.first_error() << '\n';
    }

    random_manager manager;  ///< the manager, which the module drives
    bool closing = false;    ///< true: the manager begins no more transactions
    /// Called once, with the first wrong response and its cycle, which counts clock edges from 1; empty: not
    /// called.
    cosim::violation_handler on_error;

  private:
    void start_of_simulation() override { out.write(manager.drive(true)); }
    void edge() override {
        ++m_cycle;
        manager.clock(in.read());
        if (on_error && !manager.first_error().empty())
            std::exchange(on_error, nullptr)(m_cycle, std::runtime_error(manager.first_error()));
        out.write(manager.drive(closing));
    }

    cycle_t m_cycle = 0;
};

/// A random memory at the AXI pins of a node.
class memory_module final : public clocked {
  public:
    sc_core::sc_in<forward_pins> in{"in"};
    sc_core::sc_out<backward_pins> out{"out"};

    memory_module(const sc_core::sc_module_name& name, random_memory behaviour)
        : clocked(name), memory(std::move(behaviour)) {}
    const char* kind() const override { return "sare::axi::memory_module"; }
    /// Prints the module as sc_object::dump() does, and whether the memory is idle.
    void dump(std::ostream& to = std::cout) const override {
        sc_core::sc_object::dump(to);
        to << (memory.idle() ? "idle" : "at work") << '\n';
    }

    random_memory memory;  ///< the memory, which the module drives

  private:
    void start_of_simulation() override { out.write(memory.drive()); }
    void edge() override {
        memory.clock(in.read());
        out.write(memory.drive());
        memory.forget_seen();
    }
};

/// A pin_checker at the pins of a port; it drives nothing.
class checker_module final : public clocked {
  public:
    sc_core::sc_in<forward_pins> forward{"forward"};
    sc_core::sc_in<backward_pins> backward{"backward"};

    checker_module(const sc_core::sc_module_name& name, std::uint32_t data_width)
        : clocked(name), rules(data_width) {}
    const char* kind() const override { return "sare::axi::checker_module"; }
    /// Prints the module as sc_object::dump() does, the numbers of transactions and the first violation.
    void dump(std::ostream& to = std::cout) const override {
        sc_core::sc_object::dump(to);
        to << "reads = " << rules.reads() << ", writes = " << rules.writes()
           << (rules.idle() ? "" : ", some open") << '\n';
        if (!rules.first_violation().empty()) to << "violation: " << rules.first_violation() << '\n';
    }

    pin_checker rules;  ///< the checker, with its first violation and its counts

  private:
    void edge() override { rules.cycle(forward.read(), backward.read()); }
};

}  // namespace sare::axi
