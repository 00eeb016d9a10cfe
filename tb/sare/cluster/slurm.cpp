// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/scheduler.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/terminal.h"
#include "tlm/base/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns a word for a shell, to be taken literally.
std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

/// Returns a path for Slurm, where % stands for something else.
std::string as_pattern(const std::string& path) {
    std::string out;
    for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
    return out;
}

/// Returns what a command of Slurm says on stderr, without "sbatch: error: ", as one line.
std::string words_of(const std::string& command, const child_result& done) {
    std::istringstream in(done.err);
    std::string all, line;
    while (std::getline(in, line)) {
        for (const std::string& start : {command + ": ", std::string("error: ")})
            if (line.rfind(start, 0) == 0) line.erase(0, start.size());
        if (line.empty() || line.rfind("Try \"", 0) == 0) continue;
        all += (all.empty() ? "" : "; ") + line;
    }
    return all.empty() ? fmt::format("ended with status {}", done.status) : all;
}

/// Returns the output of a command; throws its message if it fails.
std::string call(const std::vector<std::string>& line, child_rules rules) {
    // What a user has set for them would hide jobs of ours, or ask a question.
    rules.hidden_variables = {"SQUEUE_", "SCANCEL_"};
    rules.own_group = true;
    const child_result done = run_child(line, rules);
    if (done.not_started == ENOENT)
        throw scheduler_error(fmt::format(
            "there is no {} here; a machine that submits jobs to Slurm has it (Debian: slurm-client)",
            line[0]));
    if (done.not_started != 0)
        throw scheduler_error(fmt::format("{}: {}", line[0], std::strerror(done.not_started)));
    if (!done.good()) throw scheduler_error(fmt::format("{}: {}", line[0], words_of(line[0], done)));
    return done.out;
}

std::string ask(const std::vector<std::string>& line) {
    child_rules rules;
    rules.most_seconds = 120;
    rules.ends_on_stop = true;
    return call(line, rules);
}

/// Runs a command that must not be cut short.
std::string order(const std::vector<std::string>& line) {
    child_rules rules;
    rules.most_seconds = 300;
    return call(line, rules);
}

std::string script_of(const array_request& array, const std::vector<std::string>& submission) {
    std::string command;
    for (const std::string& word : array.command) command += quoted(word) + " ";
    return fmt::format(
        "#!/bin/sh\n"
        "# {}\n"
        "# Submitted by: {}\n"
        "exec {}\"$SLURM_ARRAY_TASK_ID\"\n",
        array.about, printable(joined(submission, " ")), command);
}

/// Format of a line of squeue.
constexpr const char* queue_format = "%j|%F|%K|%T|%r";
struct queue_line {
    std::string name, array, index, state, reason;
};

bool parse(const std::string& text, queue_line& line) {
    std::istringstream in(text);
    return std::getline(in, line.name, '|') && std::getline(in, line.array, '|') &&
           std::getline(in, line.index, '|') && std::getline(in, line.state, '|') &&
           (std::getline(in, line.reason) || true) && !line.index.empty() &&
           line.index.find_first_not_of("0123456789") == std::string::npos;
}

job_report report_of(const queue_line& line) {
    // All others come before: PENDING, CONFIGURING, RUNNING, COMPLETING, REQUEUED, SUSPENDED, ...
    static const std::set<std::string> over{"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
                                            "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
    job_report r;
    r.id = line.array + "_" + line.index;
    r.said = line.state;
    r.cancelled = line.state == "CANCELLED";
    r.timed_out = line.state == "TIMEOUT";
    const bool has_reason = !line.reason.empty() && line.reason != "None";
    if (over.count(line.state) != 0) {
        r.now = job_report::state::ended;
        if (has_reason) r.said += " (" + line.reason + ")";
    } else if (line.state == "RUNNING" || line.state == "COMPLETING") {
        r.now = job_report::state::running;
    } else {
        if (has_reason) r.said = line.reason;
        const std::string& why = line.reason;
        r.stillborn = why.rfind("launch", 0) == 0 && why.find("held") != std::string::npos;
        r.held = why.rfind("JobHeld", 0) == 0 || why.find("held") != std::string::npos ||
                 line.state == "REQUEUE_HOLD";
    }
    return r;
}

/// Returns MaxArraySize of Slurm's configuration.
std::size_t array_size() {
    std::istringstream in(ask({"scontrol", "show", "config"}));
    for (std::string key, equals, value, line; std::getline(in, line);) {
        std::istringstream words(line);
        if (!(words >> key >> equals >> value) || key != "MaxArraySize") continue;
        const std::size_t most = std::strtoul(value.c_str(), nullptr, 10);
        if (most == 0) throw scheduler_error("scontrol: MaxArraySize is 0: there are no job arrays here");
        return most;
    }
    throw scheduler_error("scontrol show config: tells no MaxArraySize");
}

class slurm : public batch_scheduler {
  public:
    std::string title() const override { return "Slurm"; }

    std::size_t most_jobs() const override { return m_most_jobs; }

    std::string submit(const array_request& array, const job_options& options) override {
        std::vector<std::string> line{"sbatch", "--requeue", "--ntasks=1",
                                      fmt::format("--cpus-per-task={}", options.processes * options.threads)};
        const auto add = [&](const char* option, const std::string& value) {
            if (!value.empty()) line.push_back(option + value);
        };
        add("--partition=", options.partition);
        add("--time=", options.time);
        add("--account=", options.account);
        line.insert(line.end(), options.more.begin(), options.more.end());
        // What follows is needed as it is.
        std::string indices = fmt::format("--array=0-{}", array.jobs - 1);
        if (options.at_once != 0) indices += fmt::format("%{}", options.at_once);
        line.insert(line.end(),
                    {"--parsable", "--job-name=" + array.name, std::move(indices), "--open-mode=append",
                     "--output=" + as_pattern(array.folder.string()) + "/%a.log",
                     "--chdir=" + fs::current_path().string(), (array.folder / "job.sh").string()});
        write_file(array.folder / "job.sh", script_of(array, line));
        const std::string said = order(line);  // "12", or "12;cluster"
        if (said.empty() || std::isdigit(static_cast<unsigned char>(said[0])) == 0)
            throw scheduler_error("sbatch: has told no number of a job");
        return said.substr(0, said.find_first_of(";\n"));
    }

    std::map<std::string, array_report> look(const std::vector<std::string>& names) override {
        std::istringstream in(ask({"squeue", "--noheader", "--array", "--states=all",
                                   std::string("--format=") + queue_format, "--name=" + joined(names, ",")}));
        std::map<std::string, array_report> all;
        for (std::string text; std::getline(in, text);)
            if (queue_line line; parse(text, line))
                all[line.name][std::strtoul(line.index.c_str(), nullptr, 10)] = report_of(line);
        return all;
    }

    void cancel_arrays(const std::vector<std::string>& names) override {
        for (const std::string& name : names) order({"scancel", "--name=" + name});
    }

    void cancel_jobs(const std::vector<std::string>& ids) override {
        constexpr std::size_t at_a_time = 500;  // of a command line's length
        for (std::size_t i = 0; i < ids.size(); i += at_a_time) {
            std::vector<std::string> line{"scancel"};
            const std::size_t end = std::min(i + at_a_time, ids.size());
            line.insert(line.end(), ids.begin() + static_cast<std::ptrdiff_t>(i),
                        ids.begin() + static_cast<std::ptrdiff_t>(end));
            order(line);
        }
    }

  private:
    std::size_t m_most_jobs = array_size();
};

}  // namespace

std::unique_ptr<batch_scheduler> make_slurm() {
    return std::make_unique<slurm>();
}

}  // namespace sare::cli
