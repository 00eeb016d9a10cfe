// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

/// The processes of an mpirun. Errors of MPI end all of them, as MPI does by itself.
namespace sare {
namespace {

class mpi_world final : public world {
  public:
    mpi_world() {
        int n = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &n);  // others only run routers
        MPI_Comm_rank(MPI_COMM_WORLD, &n);
        m_rank = static_cast<std::uint32_t>(n);
        MPI_Comm_size(MPI_COMM_WORLD, &n);
        m_ranks = static_cast<std::uint32_t>(n);
    }
    ~mpi_world() override {
        if (m_fails_alone) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Finalize();
    }
    mpi_world(const mpi_world&) = delete;
    mpi_world& operator=(const mpi_world&) = delete;

    std::uint32_t rank() const override { return m_rank; }
    std::uint32_t ranks() const override { return m_ranks; }

    using world::sum;
    void sum(std::uint64_t* values, std::size_t count) override {
        constexpr std::size_t most = 1 << 24;
        for (; count != 0; values += most, count -= most) {
            const std::size_t now = std::min(count, most);
            MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(now), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
            if (count == now) return;
        }
    }
    std::uint64_t least(std::uint64_t mine) override {
        MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
        return mine;
    }
    std::uint64_t of_first(std::uint64_t mine) override {
        MPI_Bcast(&mine, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        return mine;
    }
    void exchange(const std::vector<std::uint32_t>& others,
                  std::vector<std::vector<std::uint64_t>>& words) override {
        m_requests.resize(others.size());
        m_sent.resize(others.size());
        for (std::size_t k = 0; k < others.size(); ++k) {
            m_sent[k].swap(words[k]);
            MPI_Isend(m_sent[k].data(), static_cast<int>(m_sent[k].size()), MPI_UINT64_T,
                      static_cast<int>(others[k]), 0, MPI_COMM_WORLD, &m_requests[k]);
        }
        for (std::size_t k = 0; k < others.size(); ++k) receive(static_cast<int>(others[k]), words[k]);
        MPI_Waitall(static_cast<int>(m_requests.size()), m_requests.data(), MPI_STATUSES_IGNORE);
    }
    std::vector<std::string> gather(const std::string& mine) override {
        std::vector<std::string> all;
        if (m_rank != 0) {
            send(mine);
            return all;
        }
        all.push_back(mine);
        for (std::uint32_t r = 1; r < m_ranks; ++r) all.push_back(receive_text(static_cast<int>(r)));
        return all;
    }

    bool did_all_fail() override {
        MPI_Request barrier;
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        for (int k = 0; k < 100; ++k) {
            int done = 0;
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            if (done != 0) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        m_fails_alone = true;
        return false;
    }

  private:
    static constexpr std::size_t most_bytes = 1 << 30;

    static void receive(int from, std::vector<std::uint64_t>& words) {
        MPI_Message message;
        MPI_Status status;
        int count = 0;
        MPI_Mprobe(from, 0, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_UINT64_T, &count);
        words.resize(static_cast<std::size_t>(count));
        MPI_Mrecv(words.data(), count, MPI_UINT64_T, &message, MPI_STATUS_IGNORE);
    }
    static void send(const std::string& text) {
        std::uint64_t size = text.size();
        MPI_Send(&size, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD);
        for (std::size_t at = 0; at < size; at += most_bytes)
            MPI_Send(text.data() + at, static_cast<int>(std::min(most_bytes, text.size() - at)), MPI_BYTE, 0,
                     2, MPI_COMM_WORLD);
    }
    static std::string receive_text(int from) {
        std::uint64_t size = 0;
        MPI_Recv(&size, 1, MPI_UINT64_T, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::string text(size, '\0');
        for (std::size_t at = 0; at < size; at += most_bytes)
            MPI_Recv(text.data() + at, static_cast<int>(std::min<std::size_t>(most_bytes, size - at)),
                     MPI_BYTE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return text;
    }
    std::uint32_t m_rank = 0, m_ranks = 1;
    bool m_fails_alone = false;
    std::vector<MPI_Request> m_requests;
    std::vector<std::vector<std::uint64_t>> m_sent;
};

}  // namespace
}  // namespace sare

extern "C" sare::world* sare_make_world() {
    return new sare::mpi_world;
}
