// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "tlm/base/pool.h"
#include "traffic/placement/placement.h"
#include "traffic/program/collectives.h"
#include "traffic/program/executor/protocol.h"

#include <deque>
#include <optional>
#include <tuple>

/// The workload that runs a program.
namespace sare::traffic {

enum class execution { causal, at_will };

struct executor_parameters : inside_node {
    execution mode = execution::causal;
    double cpu_factor = 1;
    double flops_per_second = 1e9;
    double overhead_send = 0, overhead_receive = 0;  ///< seconds
    std::uint64_t eager_limit = 0;
    collective_choice collectives;
    config::value placement_rule;  ///< a section of placement_registry
    std::uint32_t tasks_per_node = 1;
    std::uint32_t send_queue = 16;
    std::uint32_t cores = 1, node_cores = 0;
    std::uint32_t lookahead = 65536;
};
/// Its fields, for the schema of every workload that is a program.
const config::schema<executor_parameters>& executor_fields();
/// Tasks of a program that may have any number: `tasks`, or as many as the nodes have room for.
std::uint32_t task_count(std::uint32_t tasks, const executor_parameters& p, const workload_context& c);

/// A task goes through its operations on a *strand* of its own; what runs beside it (operations that are not
/// in its sequence, collectives with a name) is on strands that are made for it. A strand holds one
/// operation, as a *stage*: post a receive, post a send, wait, compute. Sends, receives and strands that
/// others may have to wait for are *requests*.
class executor final : public workload {
  public:
    /// `at` is the place of the section, for errors; `folder` that of files that it names.
    executor(std::unique_ptr<program> what, executor_parameters p, const config::location& at,
             const std::string& folder = "");

    /// What it runs: for those who want the operations and no run.
    program& what() { return *m_program; }

    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void queue_space(std::uint32_t node) override;
    bool finished() const override { return m_done == m_here && next_tick() == never; }
    bool runs_to_completion() const override { return true; }
    double progress() const override;
    std::uint32_t nodes_needed() const override {
        return (m_program->tasks() + m.tasks_per_node - 1) / m.tasks_per_node;
    }
    generated_counts generated(cycle_t) override {
        return m_protocol ? m_protocol->generated() : generated_counts{};
    }
    bool runs_by_nodes() const override { return m_program->runs_by_tasks(); }
    std::uint32_t words_with_messages() const override { return protocol::words; }
    void write_words(const message& what, std::uint64_t* words) const override {
        m_protocol->write(what.tag, words);
    }
    void has_left(const message& what) override { m_protocol->has_left(what.tag); }
    std::uint64_t tag_of(const message&, const std::uint64_t* words) override {
        return m_protocol->take_over(words);
    }
    void add_up(world& all) override;
    bool observe(const observation& how) override;
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    result_streams files() const override;
    std::string stuck() const override;
    /// Of a run that cannot go on: the tasks that wait for each other and their operations, a line each;
    /// where none do, what the first waits for.
    std::vector<std::string> waiting() const;
    void serialize(archive& a) override;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    enum class wait_for : std::uint8_t { nothing, own, one, all };
    /// What a stage posts: a message or the receive of one; what no receive takes; a look for a message.
    enum class posting : std::uint8_t { message, put, get, probe };
    struct stage {
        enum part : std::uint8_t { receiving, sending, waits, computing, over };
        part at = over;
        posting what = posting::message;
        bool receives = false, sends = false;
        bool flushes = false;   ///< waits for the puts and gets of its task that are under way
        bool charged = false;   ///< the overhead of the send has been spent
        bool buffered = false;  ///< the send does not wait for room in the source queue
        bool own = false;  ///< the strand itself waits for what it posts; else a wait of the program does
        wait_for until = wait_for::nothing;
        std::uint32_t to = 0, from = 0;  ///< tasks, if it sends and receives; to: if it flushes
        std::uint32_t context = 0;
        std::uint64_t bytes = 0;
        std::int64_t tag = 0;
        std::uint64_t request = 0;  ///< name of what is posted; of what is waited for
        double seconds = 0;
    };
    /// Whether an operation sends or receives, and what it waits for.
    struct op_traits {
        bool sends = false, receives = false;
        wait_for until = wait_for::nothing;
        posting what = posting::message;
    };
    static const op_traits traits_of[];  ///< by operation, up to waitall
    enum class state : std::uint8_t { running, computing, waits, needs, room, core, lookahead, done };
    struct strand {
        stage now;
        state is = state::running;
        std::uint32_t task = 0;
        std::uint32_t request = none;  ///< that ends with it
        std::uint32_t collective = none;
        std::uint32_t missing = 0;  ///< requirements that are not met yet
        std::uint32_t kept = none;  ///< completed requests, for a wait to find
        struct count {
            std::uint32_t under_way = 0;
            std::uint32_t received = 0;  ///< completed receives without a name, not charged yet
        };
        count own, others;  ///< requests that the strand itself waits for; that a wait of the program does
        double after = 0;   ///< seconds of computation after a collective
        std::uint64_t number = 0;  ///< of its operation
        std::uint64_t order = 0;   ///< beside a task: see order_of()
        cycle_t since = 0;         ///< it waits
    };
    struct request {
        std::uint32_t task = 0;
        std::uint32_t strand = none;  ///< that waits for it in the end; none: deleted when it completes
        std::uint32_t before = none, after = none;  ///< kept ones of the same strand
        std::uint32_t dependents = none;
        std::uint64_t name = 0;
        std::uint32_t peer = none;  ///< none: it stands for a strand
        std::int64_t tag = 0;
        bool open = true, own = false, receive = false, begun = true, done = false;
        bool probe = false, one_sided = false;
        std::uint64_t serial = 0;
    };
    /// A strand that depends on a request: an element of the request's list.
    struct dependent {
        std::uint32_t strand = 0, next = none;
        bool begun = false;
    };
    struct task {
        std::uint32_t node = 0;
        std::uint32_t beside = 0;  ///< strands beside its own
        std::uint32_t busy = 0;    ///< cores
        bool read = false;         ///< to the end
        double fraction = 0;       ///< of a cycle of computation, carried over
        std::uint64_t operations = 0, messages = 0, bytes = 0;
        cycle_t computed = 0, overhead = 0, blocked = 0, finish = 0;
    };
    struct entry {
        cycle_t when;
        std::uint64_t order;  ///< order_of() its strand
        std::uint32_t strand() const { return static_cast<std::uint32_t>(order); }
        bool operator>(const entry& o) const { return std::tie(when, order) > std::tie(o.when, o.order); }
    };
    struct passage {  ///< of a mark
        cycle_t first = 0, last = 0;
        std::uint64_t count = 0;
    };

    // executor.cpp: tasks and their strands
    void run(std::uint32_t s);
    void run_ready();
    void arrived(std::uint32_t completed);
    bool fetch(std::uint32_t s);
    void prepare(std::uint32_t s, const operation& o, std::uint64_t number);
    void post(stage& to, const operation& o) const;
    std::uint32_t task_of(std::uint32_t communicator, std::uint32_t rank) const;
    bool next_step(std::uint32_t s);
    void pass(std::uint32_t index, std::int64_t mark);
    void fork(std::uint32_t index, const operation& o);
    void end(std::uint32_t s);
    void finish_if_done(std::uint32_t index);
    /// In which strands go on in a cycle: of one node the same, whichever nodes there are beside. Its lower
    /// half is the strand; the upper one is 0 for a task's own, else how many strands beside tasks there
    /// were.
    std::uint64_t order_of(std::uint32_t s) const { return s < m_own_strands ? s : m_strands[s].order; }
    const communicator& group(std::uint32_t id) const { return id == 0 ? *m_all : m_program->group(id); }
    bool causal() const { return m.mode == execution::causal; }

    // stages.cpp: what a strand does
    bool advance(std::uint32_t s);
    bool send(std::uint32_t s);
    void send_one_sided(std::uint32_t s);
    void receive(std::uint32_t s);
    bool flush(std::uint32_t s);
    bool wait(std::uint32_t s);
    void occupy(std::uint32_t s, cycle_t time);
    void leave_core(std::uint32_t s);
    bool has_core(const task& t) const {
        if (m.cores != 0 && t.busy == m.cores) return false;
        return m_node_cores.empty() || m_node_cores[t.node] != m.node_cores;
    }
    /// Whose queue for a core a task waits in.
    std::uint32_t core_queue(std::uint32_t index) const {
        return m_node_cores.empty() ? index : m_tasks[index].node;
    }
    void pause(std::uint32_t s, state why);
    void stop_waiting(std::uint32_t s);
    void resume(std::uint32_t s);

    // watch.cpp: told to the recorder; only called where there is one
    void watch_wait(std::uint32_t s) const;
    void watch_time(std::uint32_t s, cycle_t time) const;
    void close_watch() const;

    // requests.cpp: what is under way, and what waits for it
    std::uint32_t open(std::uint32_t s, std::uint32_t index, std::uint64_t name, bool own);
    void ended(std::uint32_t r);
    void forget(std::uint32_t r);
    std::uint32_t find(std::uint32_t task, std::uint64_t name) const;
    void add_dependency(std::uint32_t s, std::uint32_t r, bool begun);
    void release(std::uint32_t r);
    void begin(std::uint32_t s);
    void resume_dependents(std::uint32_t r, bool ended);
    void keep(std::uint32_t r);
    bool ready(std::uint32_t s);
    std::uint32_t collect(std::uint32_t s);
    static std::uint64_t one_sided_key(std::uint32_t task, std::uint32_t r) {
        return std::uint64_t{task} << 32 | r;
    }
    static queue_table::key name_key(std::uint32_t task, std::uint64_t name) { return {task, name, 0}; }

    // waiting.cpp
    std::vector<std::uint32_t> held_strands() const;
    std::uint32_t awaited_task(std::uint32_t s) const;

    // processes.cpp
    void add_up_marks(world& all);

    // results.cpp
    config::value phases() const;
    program_run ran() const;
    std::uint32_t awaited(const strand& s) const;
    std::string what_holds(const strand& s) const;

    std::unique_ptr<program> m_program;
    executor_parameters m;
    std::unique_ptr<placement> m_placement;
    traffic_port* m_port = nullptr;
    std::unique_ptr<communicator> m_all;
    std::vector<std::uint32_t> m_node_of;
    std::optional<protocol> m_protocol;
    collectives m_collectives;
    operation m_operation;  ///< read last
    std::vector<task> m_tasks;
    std::uint32_t m_own_strands = 0;  ///< as many as tasks
    pool<strand> m_strands;           ///< the first ones are the tasks' own
    pool<request> m_requests;
    pool<dependent> m_dependents;
    queue_table m_names;  ///< requests by task and name
    /// Puts and gets under way: by task and request their communicator.
    std::map<std::uint64_t, std::uint32_t> m_one_sided;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
    std::vector<std::uint32_t> m_ready;  ///< strands that go on in this cycle, in order
    std::size_t m_next_ready = 0;
    std::uint64_t m_serial = 0;                                  ///< of requests
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_room;  ///< node to the strands that wait for room
    std::map<std::uint32_t, std::deque<std::pair<std::uint32_t, cycle_t>>>
        m_cores;  ///< to those for a core: of their task, or of their node if it has a limit
    std::vector<std::uint32_t> m_node_cores;  ///< busy ones by node; empty: a node has no limit
    std::map<std::int64_t, passage> m_marks;
    std::uint32_t m_forks = 0;  ///< strands beside tasks so far, modulo 2^32
    std::uint32_t m_here = 0;   ///< tasks of this process
    std::size_t m_done = 0;
    cycle_t m_send_overhead = 0, m_receive_overhead = 0, m_end = 0;
    std::optional<observation> m_how;
    std::shared_ptr<recorder> m_watch;  ///< null: nothing is recorded
};

}  // namespace sare::traffic
