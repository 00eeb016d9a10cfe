// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <set>

/// `sare sweep --on slurm` with stand-ins for Slurm's commands: what is asked of Slurm, and what is made of
/// its bad answers. With Slurm itself: tests/scripts/test_slurm.py.
namespace sare::test::cluster_test {
namespace {

class cluster : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        tool("scontrol",
             "echo 'Configuration data as of now'; echo \"MaxArraySize            = ${SIZE:-1001}\"");
        tool("squeue", answer_states);
        tool("scancel", "printf '%s\\n' \"$@\" >> scancel.args");
        tool("sbatch", note_and_run);
    }
    void tool(const std::string& name, const std::string& script) const {
        write("slurm/" + name, "#!/bin/bash\n" + script + "\n");
        std::filesystem::permissions(at("slurm/" + name), std::filesystem::perms::owner_all);
    }
    outcome on_slurm(const std::string& arguments) const {
        return shell("PATH=$PWD/slurm:$PATH; sare sweep " + arguments + " --on slurm --poll 0.2 --no-report");
    }
    std::size_t count(const std::string& text, const std::string& part) const {
        std::size_t n = 0;
        for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++n;
        return n;
    }
    std::string jobs(const std::string& out) const {
        std::string all;
        std::set<std::filesystem::path> folders;
        for (const auto& entry : std::filesystem::directory_iterator(at(out + "/jobs")))
            folders.insert(entry.path());
        for (const auto& folder : folders)
            all += read(out + "/jobs/" + folder.filename().string() + "/points.txt") + "\n";
        return all;
    }

    /// Every job that is asked after has the state in the file `state`, if there is one.
    static constexpr const char* answer_states =
        "[ -e state ] || exit 0\n"
        "for word; do case $word in --name=*) names=${word#--name=} ;; esac; done\n"
        "for name in ${names//,/ }; do for job in $(seq 0 9); do echo \"$name|1|$job|$(cat state)|None\"; "
        "done; done";
    static constexpr const char* note = "printf '%s\\n' \"$@\" >> sbatch.args; echo >> sbatch.args; echo 1; ";
    /// Runs all jobs before it returns.
    static constexpr const char* note_and_run =
        "printf '%s\\n' \"$@\" >> sbatch.args; echo >> sbatch.args; echo 1\n"
        "for word; do case $word in --array=0-*) last=${word#--array=0-} ;; --output=*) "
        "log=${word#--output=} ;; esac; done\n"
        "log=${log//%%/%}\n"
        "for job in $(seq 0 ${last%\\%*}); do\n"
        "  SLURM_ARRAY_TASK_ID=$job sh \"${@: -1}\" >> \"${log/\\%a.log/$job.log}\" 2>&1\n"
        "done; exit 0";
};

TEST_F(cluster, GivesTheResultOfALocalSweep) {
    // Names that a shell, or a pattern of Slurm's, would take apart.
    const std::string out = "\"it's 100% \\$HOME; done\"";
    const std::string axes =
        "small.yaml --set router.vcs=2 --axis traffic.load=0.1,0.2 "
        "--axis 'traffic.pattern={name: hotspot, fraction: 0.1},uniform' ";
    const outcome o = on_slurm(axes + "--out " + out + " --points-per-job 3");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("Slurm job 1: 2 jobs, 4 points; "), std::string::npos) << o.out;
    ASSERT_EQ(sare("sweep " + axes + "--out local --no-report").status, 0);
    const std::string folder = "it's 100% $HOME; done";
    for (const char* file : {"/sweep.csv", "/sweep.json", "/points/003/links.csv"})
        EXPECT_EQ(read("local" + std::string(file)), read(folder + file)) << file;
    EXPECT_EQ(jobs(folder), "0 2 1\n3\n\n");
    EXPECT_NE(read("sbatch.args").find("/it's 100%% $HOME; done/jobs/001/%a.log\n"), std::string::npos);
}

TEST_F(cluster, PassesOptionsOnAsTheyAre) {
    const outcome o = on_slurm(
        "small.yaml --axis seed=1,2 --axis threads=1,2 --out s -j 3 --at-once 7 --partition \"a b; touch "
        "oops\" --time 1:00 "
        "--account '$(x)' --submit-option=--mem=4G --submit-option=--constraint='a|b'");
    EXPECT_EQ(o.status, 0) << o.err;
    const std::string said = read("sbatch.args");
    for (const char* word :
         {"--cpus-per-task=6", "--array=0-3%7", "--partition=a b; touch oops", "--time=1:00",
          "--account=$(x)", "--mem=4G", "--constraint=a|b", "--requeue", "--parsable"})
        EXPECT_NE(("\n" + said).find("\n" + std::string(word) + "\n"), std::string::npos) << word << "\n"
                                                                                          << said;
    EXPECT_FALSE(std::filesystem::exists(at("oops")));
}

TEST_F(cluster, LimitsArraysToTheSizeSlurmAllows) {
    const outcome o = shell(
        "export SIZE=3; PATH=$PWD/slurm:$PATH; sare sweep small.yaml --axis seed=1,2,3,4,5,6,7 "
        "--on slurm --poll 0.2 --no-report --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(jobs("s"), "0\n1\n2\n\n3\n4\n5\n\n6\n\n");
    EXPECT_EQ(count(read("sbatch.args"), "--array=0-2\n"), 2u);
}

TEST_F(cluster, SubmitsLowLoadsFirstAndACurveAsOneJob) {
    const std::string axes = "small.yaml --axis traffic.load=0.3,0.1,0.2 --axis seed=1,2 ";
    ASSERT_EQ(on_slurm(axes + "--out single --points-per-job 1").status, 0);
    EXPECT_EQ(jobs("single"), "2\n3\n4\n5\n0\n1\n\n");
    ASSERT_EQ(on_slurm(axes + "--out three --points-per-job 3").status, 0);
    EXPECT_EQ(jobs("three"), "2 4 0\n3 5 1\n\n");
}

TEST_F(cluster, ReportsAMissingSlurmAndWritesNothing) {
    const outcome o = shell("PATH=/nowhere; sare sweep small.yaml --axis seed=1,2 --on slurm --out s");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err,
              "sare: there is no scontrol here; a machine that submits jobs to Slurm has it (Debian: "
              "slurm-client)\n");
    EXPECT_FALSE(std::filesystem::exists(at("s")));
    tool(
        "scontrol",
        "echo 'slurm_load_ctl_conf error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
    const outcome p = on_slurm("small.yaml --axis seed=1,2 --out s");
    EXPECT_EQ(p.status, 1);
    EXPECT_EQ(
        p.err,
        "sare: scontrol: slurm_load_ctl_conf error: Unable to contact slurm controller (connect failure)\n");
    EXPECT_FALSE(std::filesystem::exists(at("s")));
}

TEST_F(cluster, QuotesARefusalOfSlurm) {
    tool("sbatch",
         "echo 'sbatch: error: invalid partition specified: fast' >&2; echo 'sbatch: error: Batch job "
         "submission failed: Invalid partition name specified' >&2; exit 1");
    const outcome o = on_slurm("small.yaml --axis seed=1,2 --out s --partition fast");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(
        o.err,
        "sare: sbatch: invalid partition specified: fast; Batch job submission failed: Invalid partition "
        "name specified\n");
    tool("sbatch", note_and_run);
    EXPECT_EQ(on_slurm("small.yaml --axis seed=1,2 --out s").status, 0);
}

TEST_F(cluster, SubmitsAPointThreeTimesAtMost) {
    tool("sbatch", note);
    const outcome o = on_slurm("small.yaml --axis seed=1,2,3 --points-per-job 3 --out s");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(jobs("s"), "0 1 2\n\n0\n1\n2\n\n0\n1\n2\n\n");
    EXPECT_EQ(count(o.err, "\n"), 3u) << o.err;
    EXPECT_NE(o.err.find("sare: point 001: no result: Slurm job 1 (number 1) ended as forgotten; it has "
                         "written nothing to "),
              std::string::npos)
        << o.err;
    tool("sbatch", note_and_run);
    EXPECT_EQ(on_slurm("small.yaml --axis seed=1,2,3 --out s").status, 0);
}

TEST_F(cluster, DoesNotRetryWhatWouldFailAgain) {
    tool("sbatch", note);
    for (const std::string state : {"CANCELLED", "TIMEOUT"}) {
        write("state", state);
        const outcome o = on_slurm("small.yaml --axis seed=1,2 --out " + state);
        EXPECT_EQ(o.status, 1);
        EXPECT_EQ(jobs(state), "0\n1\n\n");
        EXPECT_NE(o.err.find("sare: point 000: no result: Slurm job 1_0 ended as " + state + "; "),
                  std::string::npos)
            << o.err;
    }
    write("state", "NODE_FAIL");
    EXPECT_EQ(on_slurm("small.yaml --axis seed=1,2 --out other").status, 1);
    EXPECT_EQ(count(jobs("other"), "0\n1\n"), 3u);
}

TEST_F(cluster, ResubmitsAJobThatMadeProgress) {
    const std::string axes = "small.yaml --axis seed=1,2,3 ";
    ASSERT_EQ(sare("sweep " + axes + "--out whole --no-report").status, 0);
    // The first array dies with a point done, the next two with none.
    tool("sbatch",
         "echo >> s/tries\ncase $(wc -l < s/tries) in\n1) cp -r whole/points/000 s/points; echo 1; exit ;;\n"
         "2 | 3) echo 1; exit ;;\nesac\n" +
             std::string(note_and_run));
    const outcome o = on_slurm(axes + "--points-per-job 3 --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(jobs("s"), "0 1 2\n\n1 2\n\n1\n2\n\n1\n2\n\n");
}

TEST_F(cluster, ReplacesAJobThatSlurmCannotStart) {
    write("state", "PENDING");
    tool("squeue",
         "[ -e state ] || exit 0; for word; do case $word in --name=*) name=${word#--name=} ;; esac; done\n"
         "echo \"$name|7|0|PENDING|launch failed requeued held\"; rm state");
    tool("sbatch", std::string("if [ ! -e tried ]; then touch tried; echo 7; exit; fi\n") + note_and_run);
    const outcome o = on_slurm("small.yaml --axis seed=1 --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read("scancel.args"), "7_0\n");
    EXPECT_EQ(jobs("s"), "0\n\n0\n\n");
}

TEST_F(cluster, ReportsAFailedPointAsALocalSweepDoes) {
    const std::string axes =
        "small.yaml --set \"network.dims=[3, 3]\" --axis traffic.pattern=uniform,tornado,butterfly --out ";
    const outcome here = sare("sweep " + axes + "local --no-report --quiet");
    const outcome there = on_slurm(axes + "there --points-per-job 2 --quiet");
    EXPECT_EQ(there.status, 1);
    EXPECT_EQ(there.err, here.err);
    EXPECT_EQ(read("there/sweep.csv"), read("local/sweep.csv"));
    EXPECT_EQ(count(read("sbatch.args"), "--array="), 1u);
}

TEST_F(cluster, RunsTheExperimentAsSubmitted) {
    tool("sbatch", std::string("echo 'network: {dims: [2, 2]}' > small.yaml\n") + note_and_run);
    const outcome o = on_slurm("small.yaml --axis seed=1,2 --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read_json("s/points/001/summary.json")["config"]["network"]["dims"], nlohmann::json({4, 4}));
}

TEST_F(cluster, CountsResultsThoughSlurmDoesNotAnswer) {
    // Asked first when the jobs have run: it never answers, and need not.
    tool("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
    const outcome o = on_slurm("small.yaml --axis seed=1,2 --out s");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(
        o.err,
        "sare: warning: squeue: slurm_load_jobs error: Unable to contact slurm controller; Slurm is asked "
        "again until it answers\n");
}

TEST_F(cluster, IgnoresSettingsOfSqueue) {
    tool("squeue", "env | grep SQUEUE_ > squeue.env; exit 0");
    const outcome o = shell(
        "export SQUEUE_PARTITION=other; PATH=$PWD/slurm:$PATH; sare sweep small.yaml --axis seed=1 "
        "--on slurm --poll 0.2 --no-report --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read("squeue.env"), "");
}

TEST_F(cluster, FindsDetachedJobsAgain) {
    tool("sbatch", note);
    write("state", "PENDING");
    const std::string command = "small.yaml --axis seed=1,2 --out s";
    const outcome first = on_slurm(command + " --detach");
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_NE(first.out.find("2 points to go; the same command looks for them\n"), std::string::npos)
        << first.out;
    const outcome here = shell("PATH=$PWD/slurm:$PATH; sare sweep " + command);
    EXPECT_EQ(here.status, 1);
    EXPECT_EQ(
        here.err.rfind(
            "sare: s: has jobs at work (Slurm job 1); go on with --on slurm, or cancel them and remove ", 0),
        0u)
        << here.err;
    std::filesystem::remove(at("state"));
    shell("for job in 0 1; do sare sweep-job s/jobs/001 $job; done");
    const outcome second = on_slurm(command);
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_EQ(count(read("sbatch.args"), "--array="), 1u);
    EXPECT_EQ(shell("PATH=$PWD/slurm:$PATH; sare sweep " + command + " --no-report").status, 0);
}

TEST_F(cluster, CancelsItsJobsWhenInterrupted) {
    tool("sbatch", note);
    tool("scancel", "printf '%s\\n' \"$@\" > scancel.args; rm state");
    write("state", "RUNNING");
    const outcome o = shell(
        "PATH=$PWD/slurm:$PATH; \"$SARE\" sweep small.yaml --axis seed=1,2 --on slurm --poll 0.2 "
        "--no-report --out s & pid=$!; until [ -e s/jobs/001/id ]; do sleep 0.05; done; sleep 0.5; "
        "kill -INT $pid; wait $pid");
    EXPECT_EQ(o.status, 130);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("interrupted with 2 points to go; the same command goes on"), std::string::npos)
        << o.out;
    const std::string name = read_json("s/jobs/001/submission.json")["array"];
    EXPECT_EQ(read("scancel.args"), "--name=" + name + "\n");
    EXPECT_TRUE(std::filesystem::exists(at("s/jobs/001/over")));
}

TEST_F(cluster, DoesNotCountItsCancelledJobsAsFailed) {
    tool("sbatch", note);
    write("state", "COMPLETING");  // for longer than the sweep is let live
    shell(
        "PATH=$PWD/slurm:$PATH; \"$SARE\" sweep small.yaml --axis seed=1,2 --on slurm --poll 0.2 --no-report "
        "--out s "
        "& pid=$!; until [ -e s/jobs/001/id ]; do sleep 0.05; done; kill -INT $pid; until [ -e "
        "s/jobs/001/cancelled ]; "
        "do sleep 0.05; done; kill -9 $pid; wait $pid");
    EXPECT_FALSE(std::filesystem::exists(at("s/jobs/001/over")));
    tool("sbatch", note_and_run);
    write("state", "CANCELLED");
    const outcome o = on_slurm("small.yaml --axis seed=1,2 --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(jobs("s"), "0\n1\n\n0\n1\n\n");
}

TEST_F(cluster, SubmitsLaterWhatSlurmDoesNotTakeAtOnce) {
    tool("sbatch", std::string("echo >> tries; if [ $(wc -l < tries) = 2 ]; then echo 'sbatch: error: "
                               "AssocMaxSubmitJobLimit' >&2; exit 1; fi\n") +
                       note_and_run);
    const outcome o = shell(
        "export SIZE=1; PATH=$PWD/slurm:$PATH; sare sweep small.yaml --axis seed=1,2 --on slurm --poll 0.2 "
        "--no-report --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "sare: warning: sbatch: AssocMaxSubmitJobLimit; tried again\n");
    EXPECT_EQ(jobs("s"), "0\n\n1\n\n");
}

TEST_F(cluster, RefusesASecondSweepInOneFolder) {
    write("endless.yaml", endless);
    const outcome o = shell(
        "\"$SARE\" sweep endless.yaml --axis seed=1 --out s --quiet & pid=$!; until [ -e s/sweep.csv ]; do "
        "sleep 0.05; "
        "done; sare sweep endless.yaml --axis seed=1 --out s; echo $?; kill -9 $pid");
    EXPECT_EQ(o.out, "1\n");
    EXPECT_EQ(o.err, "sare: s: another 'sare sweep' is at work on it\n");
}

TEST_F(cluster, RefusesOptionsThatMakeNoSense) {
    const std::string command = "sweep small.yaml --axis seed=1 --out s ";
    EXPECT_EQ(sare(command + "--detach").err, "sare: --detach is of jobs on a cluster; add --on slurm\n");
    EXPECT_EQ(sare(command + "--time 5").status, 2);
    EXPECT_EQ(sare(command + "--on pbs").status, 2);
    EXPECT_EQ(on_slurm("small.yaml --axis seed=1 --out s --submit-option main").status, 2);
    EXPECT_FALSE(std::filesystem::exists(at("s")));
    write("s/jobs/001/submission.json", "{}");
    EXPECT_EQ(sare("sweep-job s/jobs/001 0").status, 1);
}

// ---- a search for saturation

/// A combination that fails says what it says here; what is found is not looked for again, what has failed
/// is.
TEST_F(cluster, GivesTheResultOfALocalSearchForSaturation) {
    const std::string command =
        "saturate small.yaml --tolerance 5% --axis router.depth=2,4 --no-report --out ";
    const auto there = [&](const std::string& out) {
        return shell("PATH=$PWD/slurm:$PATH; sare " + command + out + " --on slurm --poll 0.2");
    };
    const outcome o = there("there");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    ASSERT_EQ(sare(command + "here").status, 0);
    EXPECT_EQ(read("here/saturation.csv"), read("there/saturation.csv"));
    EXPECT_EQ(jobs("there"), "0\n1\n\n");
    EXPECT_EQ(there("there").status, 0);
    EXPECT_EQ(count(read("sbatch.args"), "--array=0-1\n"), 1u);

    tool("sbatch", note);  // whose jobs come to nothing
    write("lost/saturate.json", read("here/saturate.json"));
    const outcome lost = there("lost");
    EXPECT_EQ(lost.status, 1);
    EXPECT_NE(lost.err.find("its job has left no result: it has written nothing to "), std::string::npos)
        << lost.err;
    tool("sbatch", note_and_run);
    EXPECT_EQ(there("lost").status, 0);
    EXPECT_EQ(read("here/saturation.csv"), read("lost/saturation.csv"));
}

TEST_F(cluster, FindsTheJobsOfAKilledSearchForSaturation) {
    tool("sbatch", note);
    write("state", "RUNNING");
    const std::string command = "saturate small.yaml --tolerance 5% --no-report --quiet --out s";
    shell("PATH=$PWD/slurm:$PATH; \"$SARE\" " + command +
          " --on slurm --poll 0.2 & pid=$!; until [ -e s/jobs/001/id ]; do sleep 0.05; done; kill -9 $pid; "
          "wait $pid");
    EXPECT_NE(shell("PATH=$PWD/slurm:$PATH; sare " + command).err.find("s: has jobs at work (Slurm job 1)"),
              std::string::npos);
    std::filesystem::remove(at("state"));
    EXPECT_EQ(shell("sare saturate-job s/jobs/001 0 --tolerance 0.05").status, 0);
    EXPECT_EQ(shell("PATH=$PWD/slurm:$PATH; sare " + command + " --on slurm --poll 0.2").status, 0);
    EXPECT_EQ(jobs("s"), "0\n\n");
    EXPECT_EQ(sare("saturate-job s/jobs/001 1").status, 2);
}

/// What has used up its runs in vain is looked for again where more are allowed, and only there.
TEST_F(cluster, GoesOnWithASearchForSaturationThatMayHaveMoreRuns) {
    const auto search = [&](const std::string& runs) {
        shell(
            "PATH=$PWD/slurm:$PATH; sare saturate small.yaml --tolerance 5% --no-report --quiet --out s "
            "--on slurm --poll 0.2 --runs " +
            runs);
        return read("s/saturation.csv").find("not found") == std::string::npos;
    };
    EXPECT_FALSE(search("2"));
    EXPECT_FALSE(search("2"));
    EXPECT_EQ(jobs("s"), "0\n\n");
    EXPECT_TRUE(search("24"));
    EXPECT_EQ(jobs("s"), "0\n\n0\n\n");
}

// ---- a regression

/// Where there is no RTL every run ends at once, in an error.
TEST_F(cluster, GivesTheResultOfALocalRegression) {
    write("nightly.yaml",
          "regress:\n  runs:\n    - {name: drawn, random: 2}\n    - {experiment: small.yaml, seeds: 2}\n");
    const auto cases = [this](const std::string& folder) {
        auto all = read_json(folder + "/regress.json").at("cases");
        for (auto& c : all) c.erase("seconds");
        return all;
    };
    const std::string line =
        "export SARE_RTL=$PWD/none PATH=$PWD/slurm:$PATH; sare regress nightly.yaml --no-store --out ";
    EXPECT_EQ(shell(line + "local").status, 1);
    const outcome o = shell(line + "jobs --on slurm --poll 0.2 --partition fast");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.out.substr(o.out.find("cases=")), "cases=4 mismatches=0 errors=4 flaky=0\n") << o.err;
    EXPECT_EQ(cases("jobs"), cases("local"));
    EXPECT_NE(read("sbatch.args").find("--partition=fast\n"), std::string::npos);
    EXPECT_NE(read("jobs/jobs/job.sh").find("# A regression of sare. Job N "), std::string::npos);
}

/// The first question is not answered, and later ones neither if it fails for good; the job runs when Slurm
/// is asked for the third time.
TEST_F(cluster, WaitsInARegressionUntilSlurmAnswers) {
    write("nightly.yaml", "regress: {runs: [{experiment: small.yaml}]}\n");
    tool("sbatch", "echo \"${@: -1}\" > script; echo 1");
    for (const bool for_good : {false, true}) {
        tool("squeue", std::string("echo >> asked; n=$(wc -l < asked)\n"
                                   "[ $n = 3 ] && SLURM_ARRAY_TASK_ID=0 sh $(cat script) > /dev/null 2>&1\n"
                                   "for word; do case $word in --name=*) name=${word#--name=} ;; esac; done\n"
                                   "if [ $n = 1 ] || ") +
                           (for_good ? "true" : "false") +
                           "; then echo 'slurm_load_jobs error: none' >&2; exit 1; fi\n"
                           "[ $n = 2 ] && echo \"$name|1|0|RUNNING|None\"; exit 0");
        const outcome o = shell(
            "rm -f asked; export SARE_RTL=$PWD/none PATH=$PWD/slurm:$PATH; sare regress nightly.yaml "
            "--no-store "
            "--poll 0.2 --quiet --on slurm");
        EXPECT_EQ(o.out, "cases=1 mismatches=0 errors=1 flaky=0\n") << o.err;
        EXPECT_EQ(
            o.err.rfind("sare: warning: squeue: slurm_load_jobs error: none; Slurm is asked again until it "
                        "answers\nsare: small/small seed 1: ",
                        0),
            0U)
            << o.err;
        EXPECT_EQ(count(o.err, "warning"), 1U);
    }
}

TEST_F(cluster, ReportsLostJobsOfARegression) {
    write("nightly.yaml", "regress: {runs: [{experiment: small.yaml}]}\n");
    tool("sbatch", note);
    const std::string line =
        "PATH=$PWD/slurm:$PATH; sare regress nightly.yaml --no-store --poll 0.2 --quiet ";
    const outcome o = shell(line + "--on slurm");
    EXPECT_EQ(o.err.rfind("sare: small/start: its job has left no result: it has ", 0), 0u) << o.err;
    EXPECT_EQ(o.out, "cases=1 mismatches=0 errors=1 flaky=0\n");
    tool("squeue",
         "for word; do case $word in --name=*) echo \"${word#--name=}|7|0|FAILED|RaisedSignal:9(Killed)\" ;; "
         "esac; done");
    const std::string killed = shell(line + "--on slurm").err;
    EXPECT_EQ(killed.rfind("sare: small/start: its job has left no result: Slurm job 7_0 ended as FAILED "
                           "(RaisedSignal:9(Killed)); it has ",
                           0),
              0u)
        << killed;
    EXPECT_EQ(shell(line).err, "sare: --poll is of jobs on a cluster; add --on slurm\n");
}

}  // namespace
}  // namespace sare::test::cluster_test
