// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"

#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

namespace sare::pins {

/// Throws std::runtime_error, with file, line, instance and label, if since the last call an assertion has
/// failed or the RTL has stopped ($fatal, $stop, $finish).
void throw_failure();
/// Sets whether prints and failures of all RTL in this shared library are discarded; false at first.
void mute(bool is_muted);

/// Base class of pin adapters for a module of which Verilator has made the class `Top`: does clock,
/// evaluation, waves and coverage. Waves need VM_TRACE, coverage VM_COVERAGE.
template <class Top>
class verilated_adapter : public pin_adapter {
  public:
    /// Makes m_context current, since the destructors of `top` and of its scopes need it.
    ~verilated_adapter() override { use_context(); }

    void settle() override {
        use_context();
        clock(false);
        top.eval();
        throw_failure();
    }
    void edge() override {
        use_context();
        clock(true);
        top.eval();
        throw_failure();
    }
    void finish() override {
        use_context();
        top.final();
        throw_failure();
    }
#if VM_TRACE
    bool open_waves(const std::string& file) override {
        top.trace(&m_waves, 99);
        m_waves.open(file.c_str());
        return true;
    }
    void dump_waves(std::uint64_t time) override {
        m_waves.dump(time);
    }
    void close_waves() override {
        m_waves.close();
    }
#endif
#if VM_COVERAGE
    bool counts_coverage() const override {
        return true;
    }
    void write_coverage(const std::string& file) override {
        m_context.coveragep()->write(file.c_str());
    }
#endif

  protected:
    /// Sets the clock pin of `top` to `high`; the derived class knows the name of the pin.
    virtual void clock(bool high) = 0;
    /// Runs `n` whole cycles with the present inputs, for reset(). Prints and failures of the RTL at edges
    /// before the last one are discarded, since registers may have no value yet.
    void cycles(std::uint32_t n) {
        for (; n > 0; --n) {
            settle();
            mute(n > 1);
            edge();
            mute(false);
        }
    }

  private:
    /// Makes m_context the context of this thread for Verilator's runtime. Else that of the router run last
    /// would be used; if it was deleted, the runtime would wait for a lock for ever.
    void use_context() {
        Verilated::threadContextp(&m_context);
    }

    /// Gives registers, memories and pins random values before reset, so that a reset which is missing shows;
    /// zeros if initial_state() is 0.
    struct own_context : VerilatedContext {
        own_context() {
            randReset(initial_state() == 0 ? 0 : 2);
            randSeed(static_cast<int>(initial_state() % 0x7fffffff) + 1);
#if VM_TRACE
            traceEverOn(true);
#endif
        }
    };
    own_context m_context;

  protected:
    Top top{&m_context};  ///< the Verilated module

#if VM_TRACE
  private:
    VerilatedFstC m_waves;
#endif
};

}  // namespace sare::pins
