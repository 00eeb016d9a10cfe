// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/attach.h"
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

/// AXI managers and memories in RTL that an experiment names: the example runs, and what breaks a rule of
/// AXI is told by the name of that rule, not by what it does to a bridge.
namespace sare::axi::axi_ports_test {
namespace {

namespace fs = std::filesystem;

const fs::path example = SARE_SOURCE_DIR "/tb/examples/axi_ports";

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Runs an experiment; returns the first error, or what was done.
std::string outcome(const std::string& yaml, const fs::path& folder, cycle_t cycles = 1500) {
    return test::in_child([&]() -> std::string {
        try {
            const experiment e = experiment::read(config::parse_document(yaml, "axi"), folder);
            const auto ends = attach(e, cosim::rtl_speed::quick, true);
            cosim::network_run what;
            what.cycles = cycles;
            what.ends = ends.get();
            const cosim::network_outcome o = cosim::run(e, what);
            std::string all = o.first ? o.first->text() : o.problem;
            for (const std::string& line : o.ends)
                if (!o.first) all += line + "\n";
            return all;
        } catch (const config::error& problem) {
            return problem.what();
        }
    });
}

/// Two nodes, with an edit in one of the example's files.
class edited {
  public:
    edited(const std::string& file, const std::string& from, const std::string& to) {
        std::string name = (fs::temp_directory_path() / "sare-axi-XXXXXX").string();
        m_folder = mkdtemp(name.data());
        std::string text = text_of(example / file);
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        if (at != std::string::npos) text.replace(at, from.size(), to);
        std::ofstream(m_folder / file) << text;
    }
    ~edited() { fs::remove_all(m_folder); }
    edited(const edited&) = delete;
    edited& operator=(const edited&) = delete;

    std::string run(const std::string& manager, const std::string& memory) const {
        return outcome(
            "network: {topology: mesh, dims: [2, 2]}\nrouter: {vcs: 2}\nclasses: {count: 2}\n"
            "traffic: {workload: bernoulli, load: 0}\ncosim: {axi: [{node: 0, " +
                manager + "}, {node: 3, " + memory + "}]}\n",
            m_folder);
    }

  private:
    fs::path m_folder;
};

const std::string dma = "rtl: dma.sv, prefix: m_axi_, keeps_order: true",
                  sram = "rtl: sram.sv, prefix: s_axi_", memory = "rtl: memory", random = "rtl: random";

void expect_found(const std::string& said, const std::string& what) {
    EXPECT_NE(said.find(what), std::string::npos) << said;
}

TEST(AxiPorts, TheExampleReadsWhatItWrote) {
    const std::string done = outcome(text_of(example / "mesh.yaml"), example, 3000);
    for (const char* line :
         {"node 0, dma.sv: manager, ", "node 12, random: manager, ", "node 9, sram.sv: memory, "})
        expect_found(done, line);
    EXPECT_EQ(done.find(" 0 reads"), std::string::npos) << done;
}

TEST(AxiPorts, NamesTheRuleThatAManagerBreaks) {
    const struct {
        const char *from, *to, *says;
    } all[] = {{"sent % Beats == Beats - 1", "sent % Beats == Beats - 2",
                "AXI node 0: AXI4_ERRM_WDATA_NUM: WLAST early, at beat 3 of 4 of the write of ID 0 at 0x0"},
               {"asked * Beats * 8", "asked * Beats * 8 + 32'hff0",
                "AXI4_ERRM_AWADDR_BOUNDARY: AW: a burst crosses 4 KiB"},
               {"~reading & asked != Bursts", "~reading & asked != Bursts & ~sent[0]",
                "AXI4_ERRM_AWVALID_STABLE: AW is withdrawn before it is taken"},
               {"= value(sent)", "= value(sent) ^ {63'd0, m_axi_wready}",
                "AXI4_ERRM_WDATA_STABLE: WDATA changes before it is taken"}};
    for (const auto& one : all) expect_found(edited("dma.sv", one.from, one.to).run(dma, memory), one.says);
}

TEST(AxiPorts, NamesTheRuleThatAMemoryBreaks) {
    const struct {
        const char *from, *to, *says;
    } all[] = {{"r.left == 8'd0", "r.left == 8'd1", "AXI node 3: AXI4_ERRS_RDATA_NUM: "},
               {"s_axi_rid     = r.id", "s_axi_rid     = ~r.id", "AXI node 3: AXI4_ERRS_RID: R of ID "},
               {"s_axi_wdata[8*b +: 8]", "8'd0", "AXI node 0: beat 3 of a read has not what was written"}};
    for (const auto& one : all) expect_found(edited("sram.sv", one.from, one.to).run(random, sram), one.says);
}

TEST(AxiPorts, SaysWhatAModuleLacks) {
    const edited as_it_is("dma.sv", "dma", "dma");
    expect_found(as_it_is.run("rtl: dma.sv, prefix: axi_", memory),
                 "the module has no pin axi_arvalid or axi_awvalid");
    expect_found(as_it_is.run("rtl: none.sv", memory), "none.sv: no such file");
    const edited narrow("sram.sv", "IdWidth = 8", "IdWidth = 2");
    expect_found(narrow.run(random, sram),
                 "the memory at node 3 has 2 bits of arid; its IDs are {node, ID of the");
    expect_found(as_it_is.run(random, "rtl: memory, addresses: 5"),
                 "addresses '5' must be the first and the last one");
}

}  // namespace
}  // namespace sare::axi::axi_ports_test
