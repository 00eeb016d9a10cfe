// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>
#include <otf2/otf2.h>

#include <functional>

namespace sare::testing_support::otf2_test {
namespace {

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}
OTF2_TimeStamp flushed(void*, OTF2_FileType, OTF2_LocationRef) {
    return 0;
}

constexpr OTF2_RegionRef mpi = 0, user = 1;
constexpr OTF2_RmaWinRef of_all = 5, of_two = 6, of_device = 7;
constexpr OTF2_CommRef world = 0, two_and_zero = 1, self = 2;

/// Events of one process; a tick is a nanosecond.
class process {
  public:
    explicit process(OTF2_EvtWriter* writer) : m_writer(writer) {}

    /// Computes for so many ticks, then calls MPI for 10.
    template <class Write>
    process& call(OTF2_TimeStamp ticks, Write&& write) {
        m_now += ticks;
        OTF2_EvtWriter_Enter(m_writer, nullptr, m_now, mpi);
        m_now += 10;
        write(m_writer, m_now);
        OTF2_EvtWriter_Leave(m_writer, nullptr, m_now, mpi);
        return *this;
    }
    process& collective(OTF2_CollectiveOp what, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                        std::uint64_t received) {
        return call(0, [&](OTF2_EvtWriter* w, OTF2_TimeStamp t) {
            OTF2_EvtWriter_MpiCollectiveBegin(w, nullptr, t);
            OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, t, what, comm, root, sent, received);
        });
    }

  private:
    OTF2_EvtWriter* m_writer;
    OTF2_TimeStamp m_now = 0;
};

void write_definitions(OTF2_Archive* archive, std::uint32_t processes) {
    OTF2_GlobalDefWriter* const w = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, 0, 1000000, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(w, 0, "");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(w, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    std::vector<std::uint64_t> places, ranks;
    for (std::uint32_t p = 0; p < processes; ++p) {
        places.push_back(10 + p);
        ranks.push_back(p);
        OTF2_GlobalDefWriter_WriteLocation(w, 10 + p, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0);
    }
    // A thread beside them.
    OTF2_GlobalDefWriter_WriteLocation(w, 99, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0);
    OTF2_GlobalDefWriter_WriteRegion(w, mpi, 0, 0, 0, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI,
                                     OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteRegion(w, user, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, 0, 0, 0);
    const std::uint64_t pair[] = {2, 0};
    const auto group = [&](OTF2_GroupRef g, OTF2_GroupType type, std::uint32_t n,
                           const std::uint64_t* members) {
        OTF2_GlobalDefWriter_WriteGroup(w, g, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members);
    };
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, processes, places.data());
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, processes, ranks.data());
    group(2, OTF2_GROUP_TYPE_COMM_GROUP, 2, pair);
    group(3, OTF2_GROUP_TYPE_COMM_SELF, 0, nullptr);
    OTF2_GlobalDefWriter_WriteComm(w, world, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(w, two_and_zero, 0, 2, world, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(w, self, 0, 3, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteGroup(w, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA,
                                    OTF2_GROUP_FLAG_NONE, 2, pair);
    OTF2_GlobalDefWriter_WriteComm(w, 3, 0, 4, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (const auto& [window, comm] : {std::pair{of_all, world}, {of_two, two_and_zero}, {of_device, 3U}})
        OTF2_GlobalDefWriter_WriteRmaWin(w, window, 0, comm, OTF2_RMA_WIN_FLAG_NONE);
    OTF2_Archive_CloseGlobalDefWriter(archive, w);
}

/// An archive by OTF2's own library; its anchor file.
std::string write(const trace_files& files, const std::vector<std::function<void(process&)>>& processes) {
    OTF2_Archive* const archive =
        OTF2_Archive_Open(files.path("archive").c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_FlushCallbacks callbacks{flush, flushed};
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (std::uint32_t p = 0; p < processes.size(); ++p) {
        OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, 10 + p);
        process events(writer);
        processes[p](events);
        OTF2_Archive_CloseEvtWriter(archive, writer);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (std::uint32_t p = 0; p < processes.size(); ++p)
        OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, 10 + p));
    OTF2_Archive_CloseDefFiles(archive);
    write_definitions(archive, static_cast<std::uint32_t>(processes.size()));
    OTF2_Archive_Close(archive);
    return files.path("archive/traces.otf2");
}

/// 0 sends to 1 at once and later, 1 receives both beside its computation.
const std::vector<std::function<void(process&)>> pair_of_messages{
    [](process& p) {
        p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiSend(w, nullptr, t, 1, world, 5, 80); })
            .call(700, [](auto* w, auto t) { OTF2_EvtWriter_MpiIsend(w, nullptr, t, 1, world, 6, 160, 0); })
            .call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiIsendComplete(w, nullptr, t, 0); });
    },
    [](process& p) {
        p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, t, 0); })
            .call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, t, 8); })
            .call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiRecv(w, nullptr, t, 0, world, 5, 80); })
            .call(300, [](auto* w, auto t) { OTF2_EvtWriter_MpiRequestCancelled(w, nullptr, t, 8); })
            .call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiIrecv(w, nullptr, t, 0, world, 6, 160, 0); });
    },
    [](process&) {}};

TEST(otf2, ReadsMessagesAndComputation) {
    trace_files files;
    const std::string path = write(files, pair_of_messages);
    const auto reader = open_trace(path);
    EXPECT_EQ(reader->tasks(), 3u);
    ASSERT_EQ(reader->warnings().size(), 1u);
    EXPECT_EQ(reader->warnings()[0],
              "1 locations are no process of MPI (threads, accelerators): they are left out");
    const auto first = events_of(*reader, 0);
    ASSERT_EQ(first.size(), 4u);
    EXPECT_EQ(first[0].what, op::send);
    EXPECT_EQ(first[0].peer, 1u);
    EXPECT_EQ(first[0].tag, 5);
    EXPECT_EQ(first[0].bytes, 80u);
    EXPECT_DOUBLE_EQ(first[1].seconds, 700e-9);
    EXPECT_EQ(first[2].what, op::isend);
    EXPECT_EQ(first[3].what, op::wait);
    EXPECT_EQ(first[3].request, first[2].request);
    // What is received is known only when it is there: the receive is posted where it was.
    const auto second = events_of(*reader, 1);
    ASSERT_EQ(second.size(), 4u);
    EXPECT_EQ(second[0].what, op::irecv);
    EXPECT_EQ(second[0].peer, 0u);
    EXPECT_EQ(second[0].tag, 6);
    EXPECT_EQ(second[0].bytes, 160u);
    EXPECT_EQ(second[1].what, op::recv);
    EXPECT_DOUBLE_EQ(second[2].seconds, 300e-9);
    EXPECT_EQ(second[3].what, op::wait);
    EXPECT_EQ(second[3].request, second[0].request);
    EXPECT_TRUE(events_of(*reader, 2).empty());
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
}

TEST(otf2, ReplaysToItsEnd) {
    trace_files files;
    fake_port port(3, 10);
    auto w = make_workload(section({{"workload", "trace"}, {"file", write(files, pair_of_messages)}}), 3);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
    EXPECT_EQ(port.sent.size(), 2u);
}

/// As Score-P counts: what a process sends and receives in all. Of each a block of 8 bytes a process.
TEST(otf2, ReadsTheBlocksOfCollectives) {
    trace_files files;
    const auto rank = [](std::uint64_t r) {
        return [r](process& p) {
            p.collective(OTF2_COLLECTIVE_OP_BARRIER, world, OTF2_COLLECTIVE_ROOT_NONE, 0, 0)
                .collective(OTF2_COLLECTIVE_OP_BCAST, world, 1, r == 1 ? 24 : 0, 8)
                .collective(OTF2_COLLECTIVE_OP_REDUCE, world, 1, 8, r == 1 ? 24 : 0)
                .collective(OTF2_COLLECTIVE_OP_GATHER, world, 1, 8, r == 1 ? 24 : 0)
                .collective(OTF2_COLLECTIVE_OP_SCATTER, world, 1, r == 1 ? 24 : 0, 8)
                .collective(OTF2_COLLECTIVE_OP_ALLREDUCE, world, OTF2_COLLECTIVE_ROOT_NONE, 24, 24)
                .collective(OTF2_COLLECTIVE_OP_ALLGATHER, world, OTF2_COLLECTIVE_ROOT_NONE, 24, 24)
                .collective(OTF2_COLLECTIVE_OP_ALLTOALL, world, OTF2_COLLECTIVE_ROOT_NONE, 24, 24)
                .collective(OTF2_COLLECTIVE_OP_SCAN, world, OTF2_COLLECTIVE_ROOT_NONE, 8 * (3 - r),
                            8 * (r + 1))
                .collective(OTF2_COLLECTIVE_OP_EXSCAN, world, OTF2_COLLECTIVE_ROOT_NONE, 8 * (2 - r), 8 * r)
                .collective(OTF2_COLLECTIVE_OP_ALLTOALLV, world, OTF2_COLLECTIVE_ROOT_NONE, 24, 24)
                .collective(OTF2_COLLECTIVE_OP_GATHERV, world, 0, 8 * r, r == 0 ? 24 : 0)
                .collective(OTF2_COLLECTIVE_OP_SCATTERV, world, 0, r == 0 ? 24 : 0, 8);
            if (r != 1) p.collective(OTF2_COLLECTIVE_OP_BCAST, two_and_zero, 0, r == 2 ? 16 : 0, 8);
            p.collective(OTF2_COLLECTIVE_OP_ALLREDUCE, self, OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
        };
    };
    const std::string path = write(files, {rank(0), rank(1), rank(2)});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto reader = open_trace(path);
    const auto all = events_of(*reader, 2);
    ASSERT_EQ(all.size(), 15u);
    for (std::size_t k = 1; k < 10; ++k) EXPECT_EQ(all[k].bytes, 8u) << op_name(all[k].what);
    EXPECT_EQ(all[1].root, 1u);
    EXPECT_EQ(all[10].counts, (std::vector<std::uint64_t>{8, 8, 8}));
    EXPECT_EQ(all[11].what, op::send);
    EXPECT_EQ(all[11].bytes, 16u);
    ASSERT_NE(all[13].communicator, 0u);
    EXPECT_EQ(reader->group(all[13].communicator).task(0), 2u);
    EXPECT_EQ(reader->group(all[13].communicator).task(1), 0u);
    EXPECT_EQ(reader->group(all[14].communicator).size(), 1u);
    expect_the_same_in_any_order(path);
    fake_port port(3, 10);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 3);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
}

TEST(otf2, CallsANonBlockingCollectiveWhereItEnded) {
    trace_files files;
    const auto rank = [](process& p) {
        p.call(0, [](auto* w, auto t) {
             OTF2_EvtWriter_NonBlockingCollectiveRequest(w, nullptr, t, 1);
         }).call(500, [](auto* w, auto t) {
            OTF2_EvtWriter_NonBlockingCollectiveComplete(w, nullptr, t, OTF2_COLLECTIVE_OP_ALLREDUCE, world,
                                                         OTF2_COLLECTIVE_ROOT_NONE, 16, 16, 1);
        });
    };
    const auto reader = open_trace(write(files, {rank, rank}));
    const auto all = events_of(*reader, 1);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_DOUBLE_EQ(all[0].seconds, 500e-9);
    EXPECT_EQ(all[1].what, op::allreduce);
    EXPECT_EQ(all[1].bytes, 8u);
    ASSERT_EQ(reader->warnings().size(), 2u);
    EXPECT_NE(reader->warnings()[1].find("non-blocking"), std::string::npos);
}

/// As Score-P has them: what a fence completes is told before the fence.
TEST(otf2, ReadsOneSidedOperations) {
    trace_files files;
    const auto fence = [](OTF2_EvtWriter* w, OTF2_TimeStamp t, OTF2_RmaWinRef window) {
        OTF2_EvtWriter_RmaCollectiveEnd(w, nullptr, t, OTF2_COLLECTIVE_OP_BARRIER,
                                        OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS, window,
                                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    };
    const auto other = [&](OTF2_RmaWinRef window) {
        return [&fence, window](process& p) {
            p.call(0, [&](auto* w, auto t) {
                OTF2_EvtWriter_RmaCollectiveEnd(w, nullptr, t, OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                                                OTF2_RMA_SYNC_LEVEL_PROCESS, of_all,
                                                OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
                fence(w, t, of_all);
                if (window == of_two) fence(w, t, of_two);
            });
        };
    };
    const auto first = [&](process& p) {
        p.call(0,
               [](auto* w, auto t) {
                   OTF2_EvtWriter_RmaPut(w, nullptr, t, of_all, 1, 80, 1);
                   OTF2_EvtWriter_RmaGet(w, nullptr, t, of_all, 2, 160, 2);
               })
            .call(500,
                  [](auto* w, auto t) {
                      OTF2_EvtWriter_RmaOpCompleteNonBlocking(w, nullptr, t, of_all, 1);  // of a put: nothing
                      OTF2_EvtWriter_RmaOpCompleteBlocking(w, nullptr, t, of_all, 2);
                      OTF2_EvtWriter_RmaOpTest(w, nullptr, t, of_all, 1);
                      OTF2_EvtWriter_RmaOpCompleteRemote(w, nullptr, t, of_all, 2);  // is through
                      OTF2_EvtWriter_RmaOpCompleteRemote(w, nullptr, t, of_all, 1);
                      OTF2_EvtWriter_RmaAtomic(w, nullptr, t, of_all, 1, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD,
                                               8, 16, 3);
                  })
            .call(0, [&](auto* w, auto t) {
                fence(w, t, of_all);
                OTF2_EvtWriter_RmaOpCompleteRemote(w, nullptr, t, of_all, 3);
                OTF2_EvtWriter_RmaAcquireLock(w, nullptr, t, of_two, 0, 1, OTF2_LOCK_SHARED);
                OTF2_EvtWriter_RmaPut(w, nullptr, t, of_two, 0, 24, 4);
                OTF2_EvtWriter_RmaReleaseLock(w, nullptr, t, of_two, 0, 1);
                OTF2_EvtWriter_RmaPut(w, nullptr, t, of_device, 9, 24, 4);
                fence(w, t, of_two);
            });
    };
    const std::string path = write(files, {first, other(of_all), other(of_two)});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto reader = open_trace(path);
    const auto all = events_of(*reader, 0);
    std::vector<std::string> texts;
    for (const auto& e : all) texts.push_back(operation_text(e));
    EXPECT_EQ(texts, (std::vector<std::string>{"put to 1, 80 bytes", "get from 2, 160 bytes", "compute",
                                               "wait for request 2", "wait for request 1",
                                               "put to 1, 8 bytes", "get from 1, 16 bytes", "fence",
                                               "put to 0, 24 bytes", "flush to 0", "fence"}));
    EXPECT_EQ(all[0].request, 1U);
    EXPECT_EQ(reader->task_of(all[8], all[8].peer), 2U);
    ASSERT_EQ(reader->warnings().size(), 3U);
    EXPECT_EQ(reader->warnings()[1],
              "waits of one-sided calls for locks, groups and notifications of the trace are left out");
    EXPECT_EQ(reader->warnings()[2],
              "one-sided operations in windows that are not of MPI of the trace are left out");
    fake_port port(3, 10);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 3);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
}

std::string read_error(const trace_files& files) {
    return without_folder(read_error(files, files.path("archive/traces.otf2")), "archive/");
}
std::string error_of_events(const std::function<void(process&)>& first) {
    trace_files files;
    write(files, {first, [](process&) {}, [](process&) {}});
    return read_error(files);
}

TEST(otf2, ReportsErrorsInOneLine) {
    EXPECT_EQ(error_of_events([](process& p) {
                  p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiSend(w, nullptr, t, 3, world, 0, 8); });
              }),
              "traces.otf2: task 0: rank 3 is out of range; ranks are 0 to 2");
    EXPECT_EQ(error_of_events([](process& p) {
                  p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_MpiSend(w, nullptr, t, 1, 7, 0, 8); });
              }),
              "traces.otf2: communicator 7 is not defined, or between two groups");
    EXPECT_EQ(error_of_events([](process& p) {
                  p.call(0,
                         [](auto* w, auto t) { OTF2_EvtWriter_MpiIrecv(w, nullptr, t, 1, world, 0, 8, 3); });
              }),
              "traces.otf2: a receive with request 3 ends that was never posted");
    EXPECT_EQ(error_of_events([](process& p) { p.collective(OTF2_COLLECTIVE_OP_BCAST, world, 3, 0, 8); }),
              "traces.otf2: task 0: the root 3 is out of range; ranks are 0 to 2");
}

TEST(otf2, ReportsErrorsOfOneSidedOperations) {
    EXPECT_EQ(error_of_events([](process& p) {
                  p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_RmaPut(w, nullptr, t, of_two, 2, 8, 1); });
              }),
              "traces.otf2: task 0: rank 2 is out of range; ranks are 0 to 1");
    EXPECT_EQ(error_of_events([](process& p) {
                  p.call(0, [](auto* w, auto t) { OTF2_EvtWriter_RmaGet(w, nullptr, t, 8, 2, 8, 1); });
              }),
              "traces.otf2: window 8 is not defined");
}

TEST(otf2, ReportsFilesThatAreMissingOrCutShort) {
    const auto error = [](const std::string& name, std::uintmax_t kept) {
        trace_files files;
        write(files, pair_of_messages);
        if (kept == 0)
            std::filesystem::remove(files.path("archive/" + name));
        else
            std::filesystem::resize_file(files.path("archive/" + name), kept);
        return read_error(files);
    };
    EXPECT_EQ(error("traces.def", 0), "traces.otf2: the definitions of the archive cannot be read");
    EXPECT_EQ(error("traces.def", 40),
              "traces.otf2: the definitions of the archive are damaged or cut short");
    EXPECT_EQ(error("traces/10.evt", 0), "traces.otf2: the events of task 0 cannot be read");
    EXPECT_EQ(error("traces/10.evt", 30), "traces.otf2: the events of task 0 are damaged or cut short");
    EXPECT_EQ(
        error("traces.otf2", 20),
        "traces.otf2: the library of OTF2 cannot open the archive; its files must be beside the anchor file");
}

}  // namespace
}  // namespace sare::testing_support::otf2_test
