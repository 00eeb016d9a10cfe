// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic {

/// Wave-fronts that go through a mesh from one corner to the opposite one: a task waits for its neighbours
/// before it, one dimension after another, computes, and sends to its neighbours after it.
class sweep : public kernel {
  protected:
    /// `waves`: number of wave-fronts, one after the other.
    sweep(const std::string& name, std::uint32_t waves, const grid_parameters& p, std::uint32_t tasks,
          const config::location& where);
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const final;
    /// Returns the bytes of a message of a wave-front in a dimension.
    virtual std::uint64_t size(std::uint32_t wave, std::uint32_t dimension) const = 0;
    /// True if a wave-front goes through a dimension from its first task to its last one.
    virtual bool forwards(std::uint32_t, std::uint32_t) const { return true; }
    const virtual_mesh& mesh() const { return m_mesh; }

  private:
    virtual_mesh m_mesh;
    std::uint32_t m_waves;
    std::vector<virtual_mesh::offset> m_ways[2];  ///< offset in each dimension, backwards and forwards
};

}  // namespace sare::traffic
