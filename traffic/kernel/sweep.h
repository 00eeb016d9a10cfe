// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic {

/// Base class of kernels in which wave-fronts go through a mesh of tasks from one corner to the opposite one.
/// For each wave a task receives from its neighbour before it in each dimension, computes, and sends to its
/// neighbour behind it in each dimension.
class sweep : public kernel {
  protected:
    /// `waves`: number of wave-fronts of a repetition, one after the other; `tasks`: number of tasks. Throws
    /// config::error at `where` if the product of `p.dims` is not `tasks`.
    sweep(const std::string& name, std::uint32_t waves, const grid_parameters& p, std::uint32_t tasks,
          const config::location& where);
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const final;
    /// Returns the bytes of a message of wave-front `wave` in a dimension, both from 0.
    virtual std::uint64_t size(std::uint32_t wave, std::uint32_t dimension) const = 0;
    /// Returns true if a wave-front (first argument, from 0) goes through a dimension (second) from its first
    /// task to the last one; false if it goes the other way.
    virtual bool forwards(std::uint32_t, std::uint32_t) const { return true; }
    const virtual_mesh& mesh() const { return m_mesh; }  ///< mesh of the tasks

  private:
    virtual_mesh m_mesh;
    std::uint32_t m_waves;
    std::vector<virtual_mesh::offset> m_ways[2];  ///< offset of one task along each dimension: [0] backwards,
                                                  ///< [1] forwards
};

}  // namespace sare::traffic
