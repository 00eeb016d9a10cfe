// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge.h"
#include "cosim/rtl/rtl_library.h"
#include "tlm/base/rng.h"

#include <array>
#include <memory>
#include <string>

namespace sare::axi {

/// Names of the pins of an AXI port (docs/axi-rtl.md).
struct port_names {
    std::string prefix;  ///< text with which the names of all pins but clock and reset begin
    /// Names of these two pins; empty: the first of the usual names (clk_i, aclk, rst_ni, ...) that the
    /// module has.
    std::string clock, reset;
    /// True: the pin named by `reset` is active high. Leave it false if `reset` is empty: rst_i, rst, reset,
    /// areset, i_rst and RST are then active high, all other usual names active low.
    bool reset_high = false;
};
/// Returns the pin of field `name` ("valid", "id", ...) of `channel` ("ar", "aw", "w", "b" or "r"). Its name
/// is `prefix`, then aw_valid, awvalid or AWVALID, then nothing, _i or _o. The result does not exist
/// (rtl_pin::exists()) if the module has none of these pins.
cosim::rtl_pin find_axi_pin(const cosim::rtl_instance& rtl, const std::string& prefix,
                            const std::string& channel, const std::string& name);

/// A Verilated module with an AXI port: its clock and reset, and the pins of the port in both directions.
/// Inputs that are not valid are driven with noise, to find RTL that reads them.
class axi_port_rtl {
  public:
    /// Makes an instance of the module of `library`. `f`: widths; `id_width`: bits of the IDs at this port.
    /// `at_manager`: true for the bridge of a manager, and for a memory, which are subordinates at this port.
    /// Fields that AXI4 lets a port leave out may have no pin, and either all pins for reads or all for
    /// writes may be missing. Throws cosim::rtl_error if the module lacks any other pin.
    axi_port_rtl(cosim::rtl_library& library, const format& f, std::uint32_t id_width, bool at_manager,
                 const port_names& names = {});

    /// @name Functions for a manager's bridge: drive() sets its AXI inputs, backward() returns its AXI
    /// outputs
    void drive(const forward_pins& p);
    backward_pins backward() const;
    /// @name Functions for a subordinate's bridge: drive() sets its AXI inputs, forward() returns its AXI
    /// outputs
    void drive(const backward_pins& p);
    forward_pins forward() const;
    /// @}

    /// Returns the pin `name` of the module. Throws cosim::rtl_error if there is none of this name.
    cosim::rtl_pin pin(const std::string& name) const { return m_rtl->pin(name); }
    /// @name Functions that set `p` to the pins that the module drives, as a manager or as a subordinate
    void read(forward_pins& p) const { p = forward(); }
    void read(backward_pins& p) const { p = backward(); }
    /// @}
    /// @name Access to the `width` bits of a pin from bit `lsb` on: set them, set them to noise, return them;
    /// they must be within the pin (not checked)
    static void put(cosim::rtl_pin& pin, std::uint32_t lsb, std::uint32_t width, const wide& value);
    void put_noise(cosim::rtl_pin& pin, std::uint32_t lsb, std::uint32_t width);
    static wide get(const cosim::rtl_pin& pin, std::uint32_t lsb, std::uint32_t width);
    /// @}

    /// Resets the module: holds the reset for three clocks. The caller must not have driven any valid or
    /// ready input with 1. Throws as clock() does.
    void reset();
    /// Ends a cycle by the rising edge of the clock. Throws cosim::rtl_error if an assertion fails.
    void clock();
    /// Runs the `final` blocks; call once, after the last cycle. Throws cosim::rtl_error if an assertion
    /// fails.
    void finish() { m_rtl->finish(); }
    /// Begins to write waves of the following cycles to `file`. The rising edge that ends cycle t, counted
    /// from 0 and with the cycles of reset(), is at time 10t + 5. Returns false if the library was built
    /// without waves.
    bool open_waves(const std::string& file);
    /// Ends the file of waves. Call only after open_waves() has returned true.
    void close_waves() { m_rtl->close_waves(); }

  private:
    static constexpr std::size_t fields = 11;  ///< number of address_fields that have pins: all but ATOP
    /// The handshake pins of a channel.
    struct channel {
        cosim::rtl_pin valid, ready;
    };
    /// The pins of AR or AW; `field`: pins in the order of address_fields.
    struct address_channel : channel {
        std::array<cosim::rtl_pin, fields> field;
    };
    cosim::rtl_pin find(const std::string& of, const char* field, bool must) const;
    channel find_channel(const std::string& name, bool must) const;
    address_channel find_address(const std::string& name) const;
    cosim::rtl_pin find_first(const std::string& said, std::initializer_list<const char*> usual,
                              const char* what) const;
    void find_reset(const port_names& names);
    void drive_address(address_channel& to, bool valid, const address& a);
    address read_address(const address_channel& from) const;

    const format m_format;
    std::string m_prefix;
    std::array<std::uint32_t, fields> m_widths;
    std::unique_ptr<cosim::rtl_instance> m_rtl;
    bool m_reset_high = false;
    cosim::rtl_pin m_clock, m_reset;
    address_channel m_ar, m_aw;
    channel m_w, m_b, m_r;
    cosim::rtl_pin m_w_data, m_w_strb, m_w_last, m_b_id, m_b_resp, m_r_id, m_r_data, m_r_resp, m_r_last;
    rng m_noise{1, stream::test, 7};
    bool m_waves = false;
    std::uint64_t m_cycle = 0;
};

/// The pins of a stream of flits that a bridge takes. With several message classes, `valid`, `tail` and
/// `ready` have a bit for each class, and `data` the data of a flit for each class, class 0 in the lowest
/// bits.
struct taken_stream {
    /// Finds the pins whose names begin with `name`. Throws cosim::rtl_error if one is missing.
    taken_stream(const axi_port_rtl& port, const std::string& name);
    /// Drives the flit of class `c` in this cycle; noise if it is not valid. `width`: bits of data of a flit.
    void put(axi_port_rtl& port, std::uint32_t c, std::uint32_t width, const stream_flit& f);

    cosim::rtl_pin valid, tail, data, ready;
};

/// The pins of a stream of flits that a bridge sends: one flit at a time, of whatever class.
struct given_stream {
    /// Finds the pins whose names begin with `name`. Throws cosim::rtl_error if one is missing.
    given_stream(const axi_port_rtl& port, const std::string& name);
    /// Returns the flit on the pins, of the lowest class whose `valid` bit is set; it is not valid if none
    /// is. `classes`: number of message classes of the stream.
    leaving_flit get(const format& f, std::uint32_t classes) const;

    cosim::rtl_pin valid, tail, data, node, length, ready;
};

/// The RTL of a manager's bridge.
class manager_rtl final : public manager_bridge {
  public:
    /// `node`: number of the bridge's node; `library`: library of params.request(). Resets the bridge. Throws
    /// cosim::rtl_error if the module lacks a pin.
    manager_rtl(const manager_params& params, std::uint32_t node, cosim::rtl_library& library);
    outputs out() const override;
    void clock(const inputs& in) override;
    void finish() override { m_port.finish(); }
    axi_port_rtl& port() { return m_port; }

  private:
    const format m_format;
    axi_port_rtl m_port;
    given_stream m_req;
    taken_stream m_rsp;
};

/// The RTL of a subordinate's bridge.
class subordinate_rtl final : public subordinate_bridge {
  public:
    /// `library`: library of params.request(). Resets the bridge.
    subordinate_rtl(const subordinate_params& params, cosim::rtl_library& library);
    outputs out() const override;
    void clock(const inputs& in) override;
    void finish() override { m_port.finish(); }
    axi_port_rtl& port() { return m_port; }

  private:
    const format m_format;
    axi_port_rtl m_port;
    taken_stream m_req;
    given_stream m_rsp;
};

}  // namespace sare::axi
