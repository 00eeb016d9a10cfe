// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

namespace sare::testing_support::chakra_test {
namespace {

/// A device's file, as Chakra's own tools write it.
class chakra_writer {
  public:
    chakra_writer() {
        std::string metadata;
        protozero::pbf_writer(metadata).add_string(1, "0.0.4");
        add(metadata);
    }
    struct attribute {
        const char* name;
        std::uint64_t value;
    };
    chakra_writer& node(std::uint64_t id, unsigned type, std::uint64_t micros,
                        const std::vector<std::uint64_t>& needs,
                        const std::vector<attribute>& attributes = {}, const std::string& group = "") {
        std::string text;
        protozero::pbf_writer w(text);
        w.add_uint64(1, id);
        w.add_string(2, "a name");
        w.add_uint64(3, type);
        w.add_packed_uint64(5, needs.begin(), needs.end());
        w.add_uint64(7, micros);
        for (const auto& a : attributes) {
            std::string inner;
            protozero::pbf_writer(inner).add_string(1, a.name);
            protozero::pbf_writer(inner).add_uint64(9, a.value);
            w.add_message(10, inner);
        }
        if (!group.empty()) {
            std::string inner;
            protozero::pbf_writer(inner).add_string(1, "pg_name");
            protozero::pbf_writer(inner).add_string(29, group);
            w.add_message(10, inner);
        }
        return add(text);
    }
    static std::string length_of(const std::string& message) {
        std::string text;
        for (std::uint64_t n = message.size();; n >>= 7) {
            text += static_cast<char>((n & 127) | (n > 127 ? 128 : 0));
            if (n <= 127) return text;
        }
    }
    chakra_writer& add(const std::string& message) {
        m_text += length_of(message) + message;
        return *this;
    }
    const std::string& text() const { return m_text; }

  private:
    std::string m_text;
};
constexpr unsigned compute = 4, send = 5, receive = 6, collective = 7;

std::string write(const trace_files& files, const std::vector<std::string>& devices) {
    for (std::size_t d = 0; d < devices.size(); ++d)
        files.write("t." + std::to_string(d) + ".et", devices[d]);
    return files.path("t.0.et");
}
std::string error_in(const std::string& first) {
    const trace_files files;
    const std::string text = read_error(files, write(files, {first, chakra_writer().text()}), "chakra");
    return text.compare(0, 6, "t.0.et") == 0 ? text.substr(6) : text;
}
std::string error_in(const chakra_writer& first) {
    return error_in(first.text());
}

/// 0 computes, sends and waits for the answer; the nodes of 1 are in the file before what they need.
const std::vector<std::string> two_devices{
    chakra_writer()
        .node(10, compute, 3, {})
        .node(11, send, 0, {10}, {{"comm_size", 80}, {"comm_dst", 1}, {"comm_tag", 5}})
        .node(12, receive, 0, {11}, {{"comm_size", 160}, {"comm_src", 1}, {"comm_tag", 6}})
        .node(13, collective, 0, {12}, {{"comm_type", 0}, {"comm_size", 4096}})
        .text(),
    chakra_writer()
        .node(22, send, 0, {21}, {{"comm_size", 160}, {"comm_dst", 0}, {"comm_tag", 6}})
        .node(21, receive, 0, {}, {{"comm_size", 80}, {"comm_src", 0}, {"comm_tag", 5}})
        .node(23, collective, 0, {22}, {{"comm_type", 0}, {"comm_size", 4096}})
        .text()};

TEST(chakra, ReadsNodesAsOperationsWithTheirNeeds) {
    trace_files files;
    const std::string path = write(files, two_devices);
    const auto reader = open_trace(path);
    ASSERT_EQ(reader->tasks(), 2u);
    event e;
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.what, op::compute);
    EXPECT_DOUBLE_EQ(e.seconds, 3e-6);
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.what, op::send);
    EXPECT_EQ(e.peer, 1u);
    EXPECT_EQ(e.bytes, 80u);
    EXPECT_EQ(e.tag, 5);
    ASSERT_EQ(e.needs.size(), 1u);
    ASSERT_TRUE(reader->next(1, e));
    EXPECT_EQ(e.what, op::recv);
    ASSERT_TRUE(reader->next(1, e));
    EXPECT_EQ(e.what, op::send);
    ASSERT_TRUE(reader->next(1, e));
    EXPECT_EQ(e.what, op::allreduce);
    EXPECT_EQ(e.bytes, 4096u);
    EXPECT_FALSE(reader->next(1, e));
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    fake_port port(2, 10);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 2);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
    // 3 us of computation, then message, answer and the reduction.
    EXPECT_GT(std::stoull(w->results().find("makespan_cycles")->text()), 3000u + 10 + 20);
}

/// All-gather on four devices, as astra-sim's example: a MiB of each.
TEST(chakra, TakesSizesOfCollectivesPerDevice) {
    trace_files files;
    std::vector<std::string> devices;
    for (std::uint64_t d = 0; d < 4; ++d)
        devices.push_back(
            chakra_writer()
                .node(d, collective, 0, {}, {{"is_cpu_op", 0}, {"comm_type", 2}, {"comm_size", 1 << 20}})
                .node(10 + d, collective, 0, {d}, {{"comm_type", 6}, {"comm_size", 4096}})
                .node(20 + d, collective, 0, {10 + d}, {{"comm_type", 7}, {"comm_size", 4096}})
                .node(30 + d, collective, 0, {20 + d}, {{"comm_type", 5}, {"comm_size", 64}, {"root", 3}})
                .text());
    const std::string path = write(files, devices);
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto reader = open_trace(path);
    event e;
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_EQ(e.what, op::allgather);
    EXPECT_EQ(e.bytes, 1u << 20);
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_EQ(e.what, op::alltoall);
    EXPECT_EQ(e.bytes, 1024u);
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_EQ(e.what, op::reduce_scatter);
    EXPECT_EQ(e.counts, (std::vector<std::uint64_t>{1024, 1024, 1024, 1024}));
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_EQ(e.what, op::bcast);
    EXPECT_EQ(e.root, 3u);
}

TEST(chakra, NamesTheNodeOfAnError) {
    EXPECT_EQ(error_in(std::string()), ": the file is empty");
    EXPECT_EQ(error_in(chakra_writer().node(7, compute, 1, {9})),
              ": node 7 needs node 9, which is not there");
    EXPECT_EQ(error_in(chakra_writer().node(6, compute, 1, {}).node(8, compute, 1, {6, 5})),
              ": node 8 needs node 5, which is not there");
    EXPECT_EQ(error_in(chakra_writer().node(7, compute, 1, {7})),
              ": operations of rank 0 require each other, this one among them: none can begin");
    EXPECT_EQ(error_in(chakra_writer().node(7, compute, 1, {}).node(7, compute, 1, {})),
              ": node 7: there is one of this number already");
    EXPECT_EQ(error_in(chakra_writer().node(7, send, 0, {}, {{"comm_size", 8}})),
              ": node 7: attribute 'comm_dst' is missing");
    EXPECT_EQ(error_in(chakra_writer().node(7, send, 0, {}, {{"comm_size", 8}, {"comm_dst", 2}})),
              ": node 7: attribute 'comm_dst' is 2; devices are 0 to 1");
    EXPECT_EQ(error_in(chakra_writer().node(7, collective, 0, {}, {{"comm_type", 10}})),
              ": node 7: there is no collective of type 10");
    EXPECT_EQ(error_in(chakra_writer().text() + "\xff\xff\xff\x7f"),
              ": a message claims 268435455 bytes; at most 16777216 are taken");
    EXPECT_EQ(error_in(chakra_writer().text() + "\xff\xff\xff\xff\xff\x7f"),
              ": a length of more than five bytes; is this a trace?");
    EXPECT_EQ(error_in(chakra_writer().add("\x12\x7f")), ": a message of the file is damaged");
    trace_files files;
    const std::string path = files.write("t.et", two_devices[0]);
    EXPECT_NE(error_of([&] { open_trace(path); }), "");
}

/// As the format's own converters write it: no version, but attributes.
TEST(chakra, IsRecognisedByAttributesAlone) {
    const trace_files files;
    std::string attribute, metadata;
    protozero::pbf_writer(attribute).add_string(1, "schema");
    protozero::pbf_writer(attribute).add_string(29, "1.0.2-chakra.0.0.4");
    protozero::pbf_writer(metadata).add_message(2, attribute);
    const std::string version = chakra_writer().text();
    for (std::size_t d = 0; d < 2; ++d)
        files.write("t." + std::to_string(d) + ".et",
                    chakra_writer::length_of(metadata) + metadata + two_devices[d].substr(version.size()));
    const auto reader = open_trace(files.path("t.0.et"));
    EXPECT_EQ(reader->tasks(), 2u);
    EXPECT_EQ(check_trace(*reader), std::vector<std::string>{});
}

/// PyTorch's traces have the host's call of a collective beside the device's: the call is time only.
TEST(chakra, TakesACallOnTheHostAsTimeOnly) {
    trace_files files;
    std::vector<std::string> devices;
    for (unsigned d = 0; d < 2; ++d)
        devices.push_back(chakra_writer()
                              .node(1, collective, 85, {}, {{"is_cpu_op", 1}})
                              .node(2, collective, 28, {1}, {{"is_cpu_op", 0}, {"comm_size", 1000}})
                              .text());
    const auto reader = open_trace(write(files, devices));
    event e;
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.what, op::compute);
    EXPECT_DOUBLE_EQ(e.seconds, 85e-6);
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.what, op::allreduce);
    EXPECT_EQ(e.bytes, 1000u);
    EXPECT_EQ(error_in(chakra_writer().node(7, collective, 0, {}, {{"is_cpu_op", 0}})),
              ": node 7: attribute 'comm_size' is missing");
}

/// Four devices in two groups, whose ranks are in the order of the file; roots are devices.
TEST(chakra, ReadsProcessGroupsAsCommunicators) {
    trace_files files;
    std::vector<std::string> devices;
    for (unsigned d = 0; d < 4; ++d)
        devices.push_back(chakra_writer()
                              .node(1, collective, 0, {}, {{"comm_type", 6}, {"comm_size", 64}},
                                    d % 2 == 0 ? "even" : "odd")
                              .node(2, collective, 0, {1},
                                    {{"comm_type", 5}, {"comm_size", 8}, {"root", d % 2}},
                                    d % 2 == 0 ? "even" : "odd")
                              .node(3, collective, 0, {2}, {{"comm_type", 7}, {"comm_size", 80}},
                                    d % 2 == 0 ? "even" : "odd")
                              .text());
    const std::string path = write(files, devices);
    EXPECT_EQ(read_error(files, path, "chakra"),
              "t.0.et: node 1: who is in process group 'even' must stand in 't.comm_groups.json', such as "
              "{\"even\": [0, 1]}");
    files.write("t.comm_groups.json", R"({"even": [2, 0], "odd": [1, 3]})");
    const auto reader = open_trace(path);
    event e;
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.what, op::alltoall);
    EXPECT_EQ(e.bytes, 32u);
    EXPECT_EQ(reader->group(e.communicator).size(), 2u);
    EXPECT_EQ(reader->group(e.communicator).task(0), 2u);
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.root, 1u);  // device 0
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(e.counts, (std::vector<std::uint64_t>{40, 40}));
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    for (const auto& [groups, what] : std::vector<std::pair<const char*, const char*>>{
             {"[", "expected a JSON object of process groups, such as {\"1\": [0, 1]}"},
             {R"({"even": 3})", "process group 'even': expected a list of its devices, such as [0, 1]"},
             {R"({"even": [0, 4]})", "process group 'even': devices are 0 to 3, not 4"},
             {R"({"even": [0, -1]})", "process group 'even': devices are 0 to 3, not -1"},
             {R"({"even": [0, 0]})", "process group 'even': device 0 is named twice"}}) {
        files.write("t.comm_groups.json", groups);
        EXPECT_EQ(read_error(files, path, "chakra"), std::string("t.comm_groups.json: ") + what);
    }
    files.write("t.comm_groups.json", R"({"even": [2], "odd": [1, 3]})");
    EXPECT_EQ(read_error(files, path, "chakra"), "t.0.et: node 1: device 0 is not in process group 'even'");
}

TEST(chakra, SurvivesBrokenFiles) {
    const trace_files files;
    const std::string path = write(files, two_devices);
    EXPECT_GT(errors_of_changes(files, "t.0.et", two_devices[0], path, "chakra"), 60u);
}

}  // namespace
}  // namespace sare::testing_support::chakra_test
