// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/chakra/chakra_groups.h"
#include "traffic/trace/formats/goal/goal_schedule.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <protozero/pbf_reader.hpp>

#include <algorithm>
#include <filesystem>

/// Chakra execution traces (MLCommons, ASTRA-sim): a file per device, PREFIX.0.et and so on, each a graph of
/// computations, messages and collectives as messages of Protocol Buffers with their lengths before them.
namespace sare::traffic::variants::chakra {
namespace {

constexpr std::uint64_t longest_message = 16 << 20;  ///< bytes

constexpr std::uint32_t number(protozero::pbf_tag_type field) {
    return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr std::uint32_t text(protozero::pbf_tag_type field) {
    return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}

enum class node_type : std::uint64_t { compute = 4, send = 5, receive = 6, collective = 7 };

struct chakra_node {
    std::uint64_t id = 0, type = 0, micros = 0;
    std::vector<std::uint64_t> needs;
    std::map<std::string, std::uint64_t> numbers;  ///< attributes that are numbers
    std::string process_group;
    bool all_dimensions = true;
};

/// Reads any integer that an attribute holds. A field whose kind is not the format's is passed over.
void read_attribute(protozero::pbf_reader message, chakra_node& n) {
    std::string name;
    while (message.next()) switch (message.tag_and_type()) {
            case text(1):
                name = message.get_string();
                break;
            case number(7):   // int32
            case number(9):   // int64
            case number(11):  // uint32
            case number(13):  // uint64
            case number(27):  // bool
                n.numbers[name] = message.get_uint64();
                break;
            case number(15):  // sint32
            case number(17):  // sint64
                n.numbers[name] = static_cast<std::uint64_t>(message.get_sint64());
                break;
            case text(28): {  // a list of bool
                protozero::pbf_reader list = message.get_message();
                while (list.next(1, protozero::pbf_wire_type::length_delimited))
                    for (const bool used : list.get_packed_bool())
                        if (name.compare(0, 7, "involve") == 0 && !used) n.all_dimensions = false;
                break;
            }
            case text(29): {
                const std::string group = message.get_string();
                if (name == "pg_name") n.process_group = group;
                break;
            }
            default:
                message.skip();
        }
}

chakra_node read_node(const std::string& bytes) {
    chakra_node n;
    protozero::pbf_reader message(bytes);
    while (message.next()) switch (message.tag_and_type()) {
            case number(1):
                n.id = message.get_uint64();
                break;
            case number(3):
                n.type = message.get_uint64();
                break;
            case number(4):  // needs by control
            case number(5):  // by data
                n.needs.push_back(message.get_uint64());
                break;
            case text(4):
            case text(5):
                for (const auto id : message.get_packed_uint64()) n.needs.push_back(id);
                break;
            case number(7):
                n.micros = message.get_uint64();
                break;
            case text(10):
                read_attribute(message.get_message(), n);
                break;
            default:
                message.skip();
        }
    return n;
}

class device_file {
  public:
    device_file(text_stream text, std::uint32_t device, std::uint32_t devices, const chakra_groups& groups)
        : m_text(std::move(text)), m_device(device), m_devices(devices), m_groups(groups) {}

    /// Reads all nodes, in an order in which each comes after those that it needs.
    kept_events read() {
        std::string bytes;
        if (!next_message(bytes)) fail("the file is empty");  // what it says of the whole
        goal_rank rank;
        std::unordered_map<std::uint64_t, std::uint32_t> places;
        struct need {
            std::uint32_t place;
            std::uint64_t node, needed;
        };
        std::vector<need> needs;
        while (next_message(bytes)) {
            const chakra_node n = parsed(bytes);
            m_node = fmt::format("node {}: ", n.id);
            const auto place = static_cast<std::uint32_t>(rank.operations.size());
            if (!places.emplace(n.id, place).second) fail("there is one of this number already");
            for (const auto id : n.needs) needs.push_back({place, n.id, id});
            rank.operations.push_back(operation_of(n));
        }
        m_node.clear();
        for (const need& n : needs) {
            const auto earlier = places.find(n.needed);
            if (earlier == places.end())
                fail(fmt::format("node {} needs node {}, which is not there", n.node, n.needed));
            rank.operations[earlier->second].needed = true;
            rank.edges.push_back({n.place, earlier->second, 0, false});
        }
        return in_order(std::move(rank), m_device, m_text.path());
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw config::error({m_text.path(), 0, 0}, m_node + what);
    }

    bool next_message(std::string& bytes) {
        std::uint64_t length = 0;
        for (unsigned shift = 0;; shift += 7) {
            char c = 0;
            if (m_text.read(&c, 1) == 0) {
                if (shift == 0) return false;
                fail("the file is cut short");
            }
            length |= std::uint64_t(static_cast<unsigned char>(c) & 127) << shift;
            if ((static_cast<unsigned char>(c) & 128) == 0) break;
            if (shift == 28) fail("a length of more than five bytes; is this a trace?");
        }
        if (length > longest_message)
            fail(fmt::format("a message claims {} bytes; at most {} are taken", length, longest_message));
        bytes.clear();
        char buffer[4096];
        while (bytes.size() < length) {
            const std::size_t part = std::min<std::size_t>(sizeof buffer, length - bytes.size());
            if (m_text.read(buffer, part) < part) fail("the file is cut short");
            bytes.append(buffer, part);
        }
        return true;
    }

    chakra_node parsed(const std::string& bytes) const {
        try {
            return read_node(bytes);
        } catch (const protozero::exception&) {
            fail("a message of the file is damaged");
        } catch (const std::exception& wrong) {
            fail(std::string("a message of the file is damaged: ") + wrong.what());
        }
    }

    std::uint64_t attribute(const chakra_node& n, const char* name, bool needed = true) const {
        const auto found = n.numbers.find(name);
        if (found == n.numbers.end() && needed) fail("attribute '" + std::string(name) + "' is missing");
        return found == n.numbers.end() ? 0 : found->second;
    }
    std::uint32_t device(const chakra_node& n, const char* name, bool needed = true) const {
        const std::uint64_t d = attribute(n, name, needed);
        if (d >= m_devices)
            fail(fmt::format("attribute '{}' is {}; devices are 0 to {}", name, d, m_devices - 1));
        return static_cast<std::uint32_t>(d);
    }

    goal_operation operation_of(const chakra_node& n) const {
        goal_operation o;
        switch (static_cast<node_type>(n.type)) {
            case node_type::send:
            case node_type::receive: {
                const bool sends = n.type == static_cast<std::uint64_t>(node_type::send);
                o.what = sends ? op::send : op::recv;
                o.peer = device(n, sends ? "comm_dst" : "comm_src");
                o.size = attribute(n, "comm_size");
                o.tag = static_cast<std::uint32_t>(attribute(n, "comm_tag", false));
                break;
            }
            case node_type::collective:
                if (notes_a_call(n))
                    o.size = nanoseconds(n);
                else
                    read_collective(n, o);
                break;
            default:  // computation, memory and what says nothing of time
                o.size = nanoseconds(n);
        }
        return o;
    }

    static std::uint64_t nanoseconds(const chakra_node& n) {
        return n.micros < UINT64_MAX / 1000 ? n.micros * 1000 : 0;
    }
    /// True for the host's call of a collective, which traces of PyTorch have as another node, with the size.
    static bool notes_a_call(const chakra_node& n) {
        const auto on_host = n.numbers.find("is_cpu_op");
        return on_host != n.numbers.end() && on_host->second != 0 && n.numbers.count("comm_size") == 0;
    }

    /// Reads a collective with sizes as ASTRA-sim takes them: a device's own data.
    void read_collective(const chakra_node& n, goal_operation& o) const {
        if (!n.all_dimensions)
            fail(
                "a collective over some dimensions ('involved_dim'), of which the file does not say which "
                "devices they join; name a process group ('pg_name')");
        const std::uint32_t devices = join(n, o);
        static constexpr op kinds[] = {op::allreduce,      op::reduce, op::allgather, op::gather,
                                       op::scatter,        op::bcast,  op::alltoall,  op::reduce_scatter,
                                       op::reduce_scatter, op::barrier};
        const std::uint64_t kind = attribute(n, "comm_type", false);
        if (kind >= std::size(kinds)) fail(fmt::format("there is no collective of type {}", kind));
        o.what = kinds[kind];
        o.size = o.what == op::barrier ? 0 : attribute(n, "comm_size");
        if (o.what == op::alltoall) o.size /= devices;
        if (o.communicator == 0) {
            o.peer = device(n, "root", false);
        } else if (n.numbers.count("root") != 0) {
            const listed_tasks& group = m_groups.group(o.communicator);
            const std::uint32_t root = device(n, "root");
            if (!group.has(root))
                fail(fmt::format("its root, device {}, is not in process group '{}'", root, n.process_group));
            o.peer = group.rank(root);
        }
    }
    /// Joins the process group of a collective; returns the number of its devices.
    std::uint32_t join(const chakra_node& n, goal_operation& o) const {
        if (n.process_group.empty()) return m_devices;
        o.communicator = m_groups.find(n.process_group);
        if (o.communicator == chakra_groups::unknown)
            fail("who is in process group '" + n.process_group + "' must stand in '" + m_groups.path() +
                 "', such as {\"" + n.process_group + "\": [0, 1]}");
        const listed_tasks& group = m_groups.group(o.communicator);
        if (!group.has(m_device))
            fail(fmt::format("device {} is not in process group '{}'", m_device, n.process_group));
        return group.size();
    }

    text_stream m_text;
    std::uint32_t m_device, m_devices;
    const chakra_groups& m_groups;
    std::string m_node;  ///< name of the node, for messages
};

class chakra_reader final : public goal_schedule {
  public:
    explicit chakra_reader(const trace_source& source) : goal_schedule(source.path) {
        constexpr const char* end = ".et";
        const std::size_t dot = m_path.size() > 3 ? m_path.rfind('.', m_path.size() - 4) : std::string::npos;
        if (dot == std::string::npos || m_path.compare(m_path.size() - 3, 3, end) != 0)
            throw config::error(
                source.named_at,
                "a Chakra trace is a file for each device, PREFIX.0.et and so on, not '" + m_path + "'");
        const std::string prefix = m_path.substr(0, dot + 1);
        while (std::filesystem::exists(prefix + std::to_string(m_count) + end)) ++m_count;
        if (m_count == 0) throw config::error(source.named_at, "cannot read '" + prefix + "0.et'");
        m_groups = chakra_groups(prefix + "comm_groups.json", m_count);
        for (std::uint32_t d = 0; d < m_count; ++d) {
            text_stream text(prefix + std::to_string(d) + end, source.named_at);
            m_ranks[d] = device_file(std::move(text), d, m_count, m_groups).read();
        }
        m_prefix = prefix;
    }
    const communicator& group(std::uint32_t id) const override { return m_groups.group(id); }
    config::location where(std::uint32_t task, const event&) const override {
        return {fmt::format("{}{}.et", m_prefix, task), 0, 0};
    }
    bool next(std::uint32_t task, event& e) override {
        if (!goal_schedule::next(task, e)) return false;
        if (!is_collective(e.what)) return true;
        e.root = e.peer;
        e.peer = 0;
        if (e.what == op::reduce_scatter) {
            const std::uint32_t devices = e.communicator == 0 ? m_count : group(e.communicator).size();
            e.counts.assign(devices, e.bytes / devices);
            e.bytes = 0;
        }
        return true;
    }

  private:
    std::string m_prefix;
    chakra_groups m_groups;
};

/// True if an attribute begins with its name: printable, as its field 1.
bool begins_with_a_name(const std::string& attribute) {
    if (attribute.size() < 3 || attribute[0] != '\x0a') return false;
    const std::string name = attribute.substr(2, static_cast<unsigned char>(attribute[1]));
    return !name.empty() && name.size() == static_cast<unsigned char>(attribute[1]) &&
           std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// The first message is of the whole: field 1 has the version of the format, digits and dots; field 2 are
/// attributes, of which there may be some and no version.
bool is_chakra(const std::string& head) {
    std::size_t at = 0;
    while (at < head.size() && at < 5 && (static_cast<unsigned char>(head[at]) & 128) != 0) ++at;
    if (at + 3 >= head.size()) return false;
    const std::size_t length = static_cast<unsigned char>(head[at + 2]);
    const std::string first = head.substr(at + 3, length);
    if (first.size() != length) return false;
    if (head[at + 1] == '\x12') return begins_with_a_name(first);
    return head[at + 1] == '\x0a' && length >= 3 && length < 32 &&
           first.find_first_not_of("0123456789.") == std::string::npos;
}

[[maybe_unused]] const bool known = add_signature("chakra", is_chakra);

const config::registration<trace_reader, const trace_source&> registered{
    "chakra", "Chakra execution traces: any of the files PREFIX.0.et, PREFIX.1.et and so on.",
    config::made<chakra_reader>};

}  // namespace
}  // namespace sare::traffic::variants::chakra
