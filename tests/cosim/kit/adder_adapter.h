// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/verilated_adapter.h"

using namespace sare::pins;

/// No router: its one pin shows which Verilog it was made of, and its facts how it was compiled.
template <class Top>
class adder_adapter : public verilated_adapter<Top> {
  public:
    static router_facts facts() {
        router_facts f;
        f.name = "adder";
        f.ports = 8;
        f.vcs = ANSWER;
        return f;
    }
    explicit adder_adapter(const router_info&) {}
    void reset() override {
        this->top.a = 100;
        this->cycles(2);
    }
    void drive(std::uint32_t, const pin_flit*) override {}
    void drive_back(std::uint32_t, std::uint32_t) override {}
    bool read(std::uint32_t, pin_flit& flit) override {
        flit.data = this->top.b;
        return true;
    }
    std::uint32_t read_back(std::uint32_t) override { return 0; }

  protected:
    void clock(bool high) override { this->top.CK = high; }
};
