// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/kernel.h"

#include <fmt/format.h>

namespace sare::traffic::variants::fft3d {
namespace {

struct parameters : kernel_parameters {
    std::vector<std::uint32_t> data = {100, 100, 100};
    std::uint32_t row = 0, element_bytes = 16;
    bool real = true;
};

/// A transform in three dimensions and back. Tasks have pencils of the data: all of one dimension, a part of
/// the other two. They transform x, transpose x and y with the tasks of their row, transform y, transpose y
/// and z with those of their column, transform z; then the same backwards.
class fft3d final : public kernel {
  public:
    fft3d(const parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("fft3d", tasks, p), m_bytes(p.element_bytes), m_width(p.row) {
        if (p.data.size() != 3)
            throw config::error(
                where,
                fmt::format("'data' must have 3 numbers, the elements in x, y and z; not {}", p.data.size()));
        for (m_width = m_width == 0 ? root(tasks) : m_width; p.row == 0 && tasks % m_width != 0;) --m_width;
        if (tasks % m_width != 0)
            throw config::error(where,
                                fmt::format("'row' must divide the {} tasks; {} does not", tasks, m_width));
        m_height = tasks / m_width;
        m_x = p.real ? p.data[0] / 2 + 1 : p.data[0];
        m_y = p.data[1];
        m_z = p.data[2];
        const auto most = [](std::uint32_t n, std::uint32_t parts) { return part(n, parts, 0); };
        message_bytes({most(m_x, m_width), most(m_y, m_width), most(m_z, m_height), m_bytes}, where);
        message_bytes({most(m_y, m_height), most(m_z, m_height), most(m_x, m_width), m_bytes}, where);
        for (std::uint32_t c = 0; c < m_height; ++c) m_lines.emplace_back(c * m_width, 1, m_width);
        for (std::uint32_t r = 0; r < m_width; ++r) m_lines.emplace_back(r, m_width, m_height);
    }
    const communicator& group(std::uint32_t id) const override { return m_lines[id - 1]; }

  protected:
    /// Makes the places of either way: compute, transpose, compute, transpose, compute, barrier.
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        for (; k < 12; ++k) {
            const bool back = k >= 6;
            const std::uint32_t place = k % 6;
            if (place == 5) {
                o.what = op::barrier;
                return true;
            }
            if (place % 2 == 1) return transpose(task, (place == 1) != back, back, o);
            if (computes()) return compute(o);
        }
        return false;
    }

  private:
    static std::uint32_t root(std::uint32_t n) {
        std::uint32_t r = 1;
        while (std::uint64_t{r + 1} * (r + 1) <= n) ++r;
        return r;
    }
    /// Returns the elements of task i, of n elements among so many tasks.
    static std::uint64_t part(std::uint32_t n, std::uint32_t parts, std::uint32_t i) {
        return n / parts + (i < n % parts ? 1 : 0);
    }
    /// Makes an exchange of a row (a column), whose tasks send each other the data that they share.
    bool transpose(std::uint32_t task, bool in_row, bool back, operation& o) const {
        const std::uint32_t r = task % m_width, c = task / m_width;
        const std::uint32_t size = in_row ? m_width : m_height, own = in_row ? r : c;
        const std::uint32_t one = in_row ? m_x : m_y, other = in_row ? m_y : m_z;
        const std::uint64_t rest = (in_row ? part(m_z, m_height, c) : part(m_x, m_width, r)) * m_bytes;
        o.what = op::alltoallv;
        o.communicator = in_row ? 1 + c : 1 + m_height + r;
        for (std::uint32_t i = 0; i < size; ++i) {
            o.counts.push_back(part(one, size, i) * part(other, size, own) * rest);
            o.receive_counts.push_back(part(one, size, own) * part(other, size, i) * rest);
        }
        if (back) std::swap(o.counts, o.receive_counts);
        return true;
    }

    std::uint64_t m_bytes;
    std::uint32_t m_width, m_height = 1;      ///< tasks of a row; of a column
    std::uint32_t m_x = 1, m_y = 1, m_z = 1;  ///< numbers of elements
    std::vector<strided_tasks> m_lines;       ///< rows, then columns
};

const kernel_registration<fft3d, parameters> registered{
    "fft3d",
    "Kernel: a Fourier transform in 3 dimensions and back, in pencils (Ember's FFT3D). 'bytes' means "
    "nothing.",
    config::schema<parameters>()
        .include(kernel_fields())
        .integers("data", &parameters::data, 1, 1e6, "elements", "in x, in y, in z, of all tasks together")
        .number("row", &parameters::row, 0, 16777216, "tasks",
                "of a row of the grid; 0: the most square grid")
        .number("element_bytes", &parameters::element_bytes, 1, 1024, "bytes", "of an element")
        .flag("real", &parameters::real, "of x, half of the elements and one are left of real data")};

}  // namespace
}  // namespace sare::traffic::variants::fft3d
