// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/adapter_skeleton.h"

#include <gtest/gtest.h>

#include <sstream>

/// What `sare cosim --new-adapter` guesses from the pins of a router.
namespace sare::test {
namespace {

using cli::module_pin;

constexpr bool in = true, out = false;

module_pin pin(const std::string& name, bool input, std::uint32_t width = 1, std::uint32_t elements = 0,
               std::uint32_t dimension = 0) {
    module_pin p;
    p.name = name;
    p.input = input;
    p.width = width;
    p.elements = elements;
    p.dimension = dimension;
    return p;
}

std::string skeleton(const std::vector<module_pin>& pins) {
    return cli::adapter_skeleton("my_router", pins);
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// Pins of one port each, whose names are those of others but for a word for the port.
struct port_names {
    const char *name, *group;
    std::vector<std::string> of_ports;  ///< of east, west, north, south and the node
};

class port_pins : public testing::TestWithParam<port_names> {};

TEST_P(port_pins, AreOneGroupInSaresOrder) {
    std::vector<module_pin> pins{pin("clk", in), pin("reset", in)};
    for (std::size_t k = 5; k-- > 0;) pins.push_back(pin(GetParam().of_ports[k], in, 32));
    for (const char* q : {"N", "E", "S", "W", "P"}) {
        pins.push_back(pin(std::string("valid_") + q, in));
        pins.push_back(pin(std::string("v_out_") + q, out));
    }
    std::string list;
    for (const std::string& name : GetParam().of_ports) list += (list.empty() ? "&top." : ", &top.") + name;
    const std::string group = GetParam().group;
    expect_parts(
        skeleton(pins),
        {"auto& " + group + "_of(std::uint32_t port) {\n        const std::array pins{" + list +
             "};  // CHECK",
         "        put(" + group + "_of(port), 0, 32, flit->data);  // CHECK",
         "        put(valid_of(port), 0, 1, flit != nullptr);  // CHECK",
         "        if (get(v_out_of(port), 0, 1) == 0) return false;  // CHECK", "f.ports = 5;  // CHECK"});
}

INSTANTIATE_TEST_SUITE_P(
    of, port_pins,
    testing::Values(
        port_names{"suffixes", "dataIn", {"dataIn_E", "dataIn_W", "dataIn_N", "dataIn_S", "dataIn_P"}},
        port_names{"camel", "din", {"dinE", "dinW", "dinN", "dinS", "dinL"}},
        port_names{"prefixes",
                   "flit_in",
                   {"east_flit_in", "west_flit_in", "north_flit_in", "south_flit_in", "local_flit_in"}},
        port_names{"middles",
                   "i_data",
                   {"i_EAST_data", "i_WEST_data", "i_NORTH_data", "i_SOUTH_data", "i_LOCAL_data"}},
        port_names{"lower", "flit", {"flit_e", "flit_w", "flit_n", "flit_s", "flit_core"}}),
    [](const auto& its) { return its.param.name; });

TEST(Skeleton, NumbersPortsThatHaveNumbers) {
    std::vector<module_pin> pins{pin("clk", in)};
    for (const char* q : {"0", "1", "2", "3"}) {
        pins.push_back(pin(std::string("in_data") + q, in, 40));
        pins.push_back(pin(std::string("in_valid") + q, in));
    }
    expect_parts(skeleton(pins),
                 {"const std::array pins{&top.in_data0, &top.in_data1, &top.in_data2, &top.in_data3}",
                  "        put(in_data_of(p), 0, 40, flit->data);  // CHECK",
                  "static std::uint32_t mine(std::uint32_t port) { return port; }  // CHECK",
                  "f.ports = 4;  // CHECK"});
}

/// Credits, a VC with a bit each, and valid bits within a structure, of an array of ports.
TEST(Skeleton, FindsCreditsVcsAndValidInStructures) {
    module_pin chan = pin("chan_in", in, 51, 5);
    chan.fields = {{"flit_chanel.flit_wr", 1, 50},       {"flit_chanel.credit", 2, 48},
                   {"flit_chanel.flit.hdr_flag", 1, 47}, {"flit_chanel.flit.tail_flag", 1, 46},
                   {"flit_chanel.flit.vc", 2, 44},       {"flit_chanel.flit.payload", 32, 12},
                   {"ctrl.credit_init", 2, 10},          {"ctrl.neighbors_addr", 10, 0}};
    module_pin back = chan;
    back.name = "chan_out";
    back.input = out;
    const std::string text = skeleton({chan, back, pin("clk", in), pin("reset", in), pin("my_id", in, 6)});
    expect_parts(
        text,
        {"f.flow = flow_control::credit;  // CHECK", "f.vcs = 2;  // CHECK", "f.data_bits = 32;  // CHECK",
         "put(top.chan_in[p], 50, 1, flit != nullptr);  // CHECK",
         "put(top.chan_in[p], 44, 2, 1u << flit->vc);  // CHECK: a bit for each VC",
         "put(top.chan_in[p], 48, 2, vcs);  // CHECK", "put(top.chan_in[p], 47, 1, flit->head);  // CHECK",
         "flit.vc = vc_number(get(top.chan_out[p], 44, 2));  // CHECK: a bit for each VC",
         "return static_cast<std::uint32_t>(get(top.chan_out[p], 48, 2));  // CHECK",
         "for (auto& its : top.chan_in) its = {};  // CHECK: nothing drives .ctrl.credit_init "
         ".ctrl.neighbors_addr",
         "put(top.my_id, 0, 6, m_info.router);  // CHECK"});
}

TEST(Skeleton, FindsCreditsThatAreNumbers) {
    const std::string text =
        skeleton({pin("clk_i", in), pin("rst_ni", in), pin("credit_valid_o", out, 5),
                  pin("credit_id_o", out, 10, 0, 5), pin("data_valid_i", in, 5), pin("data_i", in, 320, 0, 5),
                  pin("credit_valid_i", in, 5), pin("credit_id_i", in, 10, 0, 5), pin("data_valid_o", out, 5),
                  pin("data_o", out, 320, 0, 5)});
    expect_parts(
        text,
        {"f.encoded_credits = true;  // CHECK", "f.vcs = 4;  // CHECK",
         "put(top.credit_valid_i, p, 1, vcs != 0);  // CHECK",
         "put(top.credit_id_i, p * 2, 2, vc_number(vcs));  // CHECK",
         "return get(top.credit_valid_o, p, 1) != 0 ? 1u << get(top.credit_id_o, p * 2, 2) : 0;  // CHECK"});
}

TEST(Skeleton, FindsOneValidForEachVcAndCoordinates) {
    module_pin data = pin("data_i", in, 250, 0, 5), place = pin("xy_id_i", in, 6);
    data.fields = {{"hdr.dst_id.y", 3, 47}, {"hdr.dst_id.x", 3, 44}, {"hdr.last", 1, 43}, {"payload", 43, 0}};
    place.fields = {{"x", 2, 4}, {"y", 3, 1}, {"port_id", 1, 0}};
    const std::string text = skeleton({pin("clk_i", in), pin("rst_ni", in), pin("test_enable_i", in), place,
                                       pin("valid_i", in, 10, 0, 5), pin("ready_o", out, 10, 0, 5), data,
                                       pin("valid_o", out, 10, 0, 5), pin("ready_i", in, 10, 0, 5)});
    expect_parts(text, {"put(top.valid_i, p * 2, 2, flit == nullptr ? 0 : 1u << flit->vc);  // CHECK",
                        "flit.vc = vc_number(get(top.valid_o, p * 2, 2));  // CHECK",
                        "put(top.data_i, p * 50 + 44, 3, flit->destination % m_info.sizes.at(0));  // CHECK",
                        "put(top.data_i, p * 50 + 47, 3, flit->destination / m_info.sizes.at(0));  // CHECK",
                        "top.xy_id_i = {};  // CHECK: nothing drives .port_id\n",
                        "put(top.xy_id_i, 4, 2, m_info.here.at(0));  // CHECK",
                        "put(top.xy_id_i, 1, 3, m_info.here.at(1));  // CHECK",
                        "top.test_enable_i = {};  // CHECK: nothing drives it",
                        "f.flow = flow_control::ready_valid;  // CHECK"});
}

/// Heads are what follows a tail that has left: with ready and valid, once the network was ready.
TEST(Skeleton, FindsHeadsByTails) {
    std::vector<module_pin> pins{pin("clk", in), pin("rst", in)};
    for (const bool side : {in, out}) {
        const std::string suffix = side ? "_i" : "_o", back = side ? "_o" : "_i";
        module_pin data = pin("data" + suffix, side, 165, 0, 5);
        data.fields = {{"last", 1, 32}, {"payload", 32, 0}};
        pins.insert(pins.end(), {data, pin("valid" + suffix, side, 5), pin("ready" + back, !side, 5)});
    }
    const std::string text = skeleton(pins);
    expect_parts(text, {"        m_under_way = {};\n", "        m_ready[port] = vcs;\n",
                        "        bool& under_way = m_under_way[port][flit.vc];\n"
                        "        flit.head = !under_way;  // CHECK: no pin was found: one follows a tail\n"
                        "        if ((m_ready[port] >> flit.vc & 1) != 0) under_way = !flit.tail;\n"
                        "        return true;\n",
                        "    std::array<std::array<bool, 1>, 5> m_under_way{};\n"
                        "    std::array<std::uint32_t, 5> m_ready{};\n"});
    for (module_pin& p : pins)
        if (p.name.rfind("ready", 0) == 0) p.name.replace(0, 5, "credit");
    const std::string credits = skeleton(pins);
    expect_parts(credits, {"        under_way = !flit.tail;\n"});
    EXPECT_EQ(credits.find("m_ready"), std::string::npos);
}

TEST(Skeleton, CountsPortsFromTheLeftInAscendingRanges) {
    module_pin data = pin("channel_in_ip", in, 340), valid = pin("valid_in", in, 5);
    data.ascending = valid.ascending = true;
    expect_parts(skeleton({pin("clk", in), valid, data}),
                 {"put(top.valid_in, (4 - p), 1, flit != nullptr);  // CHECK",
                  "put(top.channel_in_ip, (4 - p) * 68, 68, flit->data);  // CHECK: head"});
}

/// Every line with a pin of the router carries the mark, but for the end of reset().
TEST(Skeleton, MarksAllThatIsGuessed) {
    module_pin flit = pin("flit_in", in, 144, 0, 4);
    flit.fields = {{"valid", 1, 35}, {"vc", 2, 33}, {"tail", 1, 32}, {"d", 32, 0}};
    std::istringstream lines(skeleton({pin("clk", in), pin("rst", in), flit, pin("stop_out", out, 4)}));
    int pins = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("top.") == std::string::npos && line.find(" f.") == std::string::npos) continue;
        ++pins;
        EXPECT_TRUE(line.find("// CHECK") != std::string::npos || line.find("f.name") != std::string::npos)
            << line;
    }
    EXPECT_GT(pins, 15);
}

TEST(Skeleton, ResetsAtTheRightLevel) {
    for (const auto& [name, low] : std::vector<std::pair<std::string, bool>>{{"reset_in", false},
                                                                             {"reset", false},
                                                                             {"arst", false},
                                                                             {"RESET", false},
                                                                             {"i_rst", false},
                                                                             {"rst_n", true},
                                                                             {"rst_ni", true},
                                                                             {"RST_N", true},
                                                                             {"aresetn", true},
                                                                             {"rst_n_in", true},
                                                                             {"resetn", true},
                                                                             {"nrst", true}})
        expect_parts(
            skeleton({pin("clk", in), pin(name, in)}),
            {"        top." + name + (low ? " = 0;  // CHECK: active low" : " = 1;  // CHECK: active high")});
}

}  // namespace
}  // namespace sare::test
