// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// What the program prints on a terminal, which is a real one of script(1), and how it ends with it;
/// completion as the shells do it, and manual pages.
namespace sare::test::terminal_test {
namespace {

class terminal : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        write("endless.yaml", endless);
    }
    /// What a terminal of so many columns shows.
    std::string screen(const std::string& command, unsigned columns = 80) const {
        write("command", "stty cols " + std::to_string(columns) + "; " + command + "\n");
        return shell("SARE=$SARE TERM=xterm script -qec \"bash command\" /dev/null").out;
    }
};

bool has_command(const char* name) {
    return std::system(("command -v " + std::string(name) + " > /dev/null").c_str()) == 0;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(terminal, ShowsColoursWhereItCan) {
    const std::string coloured = screen("$SARE check small.yaml");
    EXPECT_TRUE(has(coloured, "\033[32mgood:\033[0m small.yaml")) << coloured;
    EXPECT_TRUE(has(screen("$SARE run small.yaml --no-report --quiet --foo"), "\033[31msare: \033[0m"));
    EXPECT_FALSE(has(screen("NO_COLOR=1 $SARE check small.yaml"), "\033"));
    EXPECT_FALSE(has(screen("TERM=dumb $SARE check small.yaml"), "\033"));
    EXPECT_FALSE(has(screen("$SARE check small.yaml | cat"), "\033"));
}

TEST_F(terminal, BreaksLinesBetweenWordsAtItsWidth) {
    const std::string all = screen(
        "export NO_COLOR=1; $SARE run small.yaml --no-report --out a; $SARE run --help; $SARE describe "
        "router; $SARE sweep small.yaml --axis router.vcs=1,2 --no-report --out b 2> errors; "
        "$SARE check small.yaml --set router.vcz=2; $SARE check small.yaml --set zzzzzz=1; $SARE compare a a",
        64);
    std::istringstream lines(all);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        line.erase(line.find_last_not_of("\r") + 1);
        const bool example =
            line.rfind("  sare ", 0) == 0 || has(line, "# and after") || has(line, "--baseline");
        EXPECT_TRUE(example || line.size() <= 64 || has(line, "±")) << line;
    }
    EXPECT_GT(count, 100u);
    EXPECT_TRUE(has(all, "\npoint       latency  p99")) << all;  // below the columns before
    EXPECT_TRUE(has(all, "sare: --set router.vcz: unknown key 'vcz' in 'router';")) << all;
}

/// SIGHUP, while the line of progress is shown: what there is of results is written, and nothing runs on.
TEST_F(terminal, EndsTheWorkAndKeepsResultsWhenClosed) {
    const auto closed = [&](const std::string& command, const std::string& begun, const std::string& end) {
        write("command", command);
        return shell(
            "export SARE; TERM=xterm script -qec \"bash command\" /dev/null >/dev/null & until ls -d " +
            begun +
            " >/dev/null 2>&1; do sleep 0.05; done; sleep 2.3; kill -9 $!; at_work() { ps -eo args | grep -q "
            "\"$PWD/[e]ndless\"; }; "
            "for k in $(seq 100); do [ -e " +
            end + " ] && ! at_work && break; sleep 0.1; done; ls " + end + "; at_work && echo at work");
    };
    EXPECT_EQ(
        closed("$SARE run $PWD/endless.yaml --out r --no-report\n", "r.partial-*", "r/summary.json").out,
        "r/summary.json\n");
    EXPECT_EQ(read_json("r/summary.json")["status"], "interrupted");
    EXPECT_EQ(
        closed("$SARE sweep $PWD/endless.yaml --axis traffic.load=0.1,0.2,0.3 -j 2 --out s --no-report\n",
               "s", "s/sweep.csv")
            .out,
        "s/sweep.csv\n");
}

/// What bash would offer behind a line.
TEST_F(terminal, CompletesInBash) {
    ASSERT_EQ(shell("sare completion bash > sare.bash && bash -n sare.bash").err, "");
    write("offer",
          "source ./sare.bash\ncompopt() { :; }\nCOMP_LINE=$1 COMP_POINT=${#1}\n_sare\n"
          "printf \"%s\\n\" \"${COMPREPLY[@]}\" | sort | paste -sd\" \"\n");
    const std::pair<const char*, const char*> lines[] = {
        {"sare sw", "sweep"},
        {"sare trace in", "info"},
        {"sare run --s", "--seed --seeds --set --store"},
        {"sare run small.yaml --set router.vc", "router.vcs="},
        {"sare run small.yaml --set router.kind=sp", "spinet spinnaker"},
        {"sare run --set network.topology=tor", "torus"},
        {"sare run --set routing=west", "west_first"},
        {"sare run --baseline al", "alone"},
        {"sare run --baseline=cr", "crossbar"},
        {"sare run sma", "small.yaml"},
        {"sare describe topol", "topologies"},
        {"sare import boo", "booksim"},
        {"sare completion z", "zsh"},
        {"sare check end", "endless.yaml"},
    };
    for (const auto& [line, offered] : lines)
        EXPECT_EQ(shell("bash offer \"" + std::string(line) + "\"").out, std::string(offered) + "\n") << line;
}

TEST_F(terminal, HasAValidCompletionForZsh) {
    if (!has_command("zsh")) GTEST_SKIP() << "there is no zsh";
    EXPECT_EQ(shell("sare completion zsh > _sare && zsh -n _sare").err, "");
}

TEST_F(terminal, CompletesInFish) {
    if (!has_command("fish")) GTEST_SKIP() << "there is no fish";
    EXPECT_EQ(shell("sare completion fish > sare.fish && fish --no-execute sare.fish").err, "");
    const std::pair<const char*, const char*> lines[] = {
        {"sare sw", "sweep"},
        {"sare trace inf", "info"},
        {"sare run --set router.kind=spine", "router.kind=spinet"},
        {"sare run --set router.vc", "router.vcs=\n"},
        {"sare run --see", "--seed\tSeed of the random numbers"},
        {"sare completion z", "zsh"}};
    for (const auto& [line, offered] : lines)
        EXPECT_TRUE(has(shell("export HOME=$PWD; fish -c \"source sare.fish; complete -C \\\"" +
                              std::string(line) + "\\\"\"")
                            .out,
                        offered))
            << line;
}

/// As they are installed: no page has a line that troff complains of, and there is one for each command.
TEST_F(terminal, ShowsManualPagesWithoutWarnings) {
    if (!has_command("groff")) GTEST_SKIP() << "there is no groff";
    ASSERT_EQ(sare("pages .").status, 0);
    const outcome troff = shell(
        "for page in man/man?/*; do groff -man -ww -Tutf8 -rLL=78n $page >/dev/null; done; ls man/man1 | wc "
        "-l; "
        "sare --help | grep -c \"^  [a-z]\"");
    EXPECT_EQ(troff.err, "");
    const std::string page = shell("groff -man -Tascii -P-cbou man/man1/sare-sweep.1").out;
    EXPECT_TRUE(has(page, "sare-sweep - Run an experiment at every combination of some parameters")) << page;
    EXPECT_TRUE(has(page, "--axis PATH=A,B,C")) << page;
    EXPECT_TRUE(std::filesystem::exists(at("man/man1/sare-trace-info.1")));
    const std::string experiment = shell("groff -man -Tascii -P-cbou man/man5/sare-experiment.5").out;
    EXPECT_TRUE(has(experiment, "Buffer of one virtual channel.")) << experiment.substr(0, 2000);
}

}  // namespace
}  // namespace sare::test::terminal_test
