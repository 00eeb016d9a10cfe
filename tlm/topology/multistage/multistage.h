// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// Networks of one-way stages: nodes send into the first stage and receive from the last one.
namespace sare {

/// Shape of a network of stages: rule by which the switches of each stage find the output for a destination.
struct multistage_shape : network_shape {
    /// A stage of switches.
    struct stage {
        std::uint32_t first = 0;    ///< number of the first router of the stage
        std::uint32_t divisor = 1;  ///< with ways > 0: the output is destination / divisor % ways
        /// Number of outputs from which the destination chooses one, see `divisor`. 0: every output leads to
        /// all destinations; a packet takes output n / divisor % outputs, where n is route_header::state, a
        /// number chosen at its source for all such stages.
        std::uint32_t ways = 0;
        std::uint32_t outputs = 0;  ///< number of outputs of a switch
    };
    std::vector<stage> stages;  ///< stages from the first, into which nodes send
};

/// Stages of switches; routers are numbered stage by stage. The outputs of all switches of a stage make a
/// *row*, and so do the inputs of the next stage. Switch j has places j * inputs to j * inputs + inputs - 1
/// of the input row, and places j * outputs to j * outputs + outputs - 1 of the output row. Derived classes
/// say how rows are linked. Input i of a switch is the receiving side of its port i, output i the sending
/// side. Node x receives from place x of the last row.
class multistage : public topology {
  public:
    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id r) const override;
    port_peer peer(router_id r, port_id p) const override;
    port_peer source(router_id r, port_id p) const override;
    link_attributes link(router_id r, port_id) const override {
        return r.value < m_shape.stages.back().first ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(entry(n.value) / m_sizes[0].inputs); }
    port_id port_of(node_id n) const override { return port_id(entry(n.value) % m_sizes[0].inputs); }
    router_port ejection_of(node_id n) const override;
    const network_shape* shape() const override { return &m_shape; }
    /// Returns diameter and mean distance: every path, also from a node to itself, passes every stage once.
    closed_forms known() const override {
        const auto hops = static_cast<std::uint32_t>(m_sizes.size()) - 1;
        return {hops, hops, std::nullopt};
    }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), m_nodes}};
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override;
    std::unique_ptr<layout> picture() const override;

  protected:
    /// Sizes of a stage.
    struct stage_size {
        std::uint32_t switches, inputs, outputs;  ///< number of switches; inputs and outputs of each
    };
    /// `name`: name by which the kind is registered; `sizes`: sizes of the stages, from the first one.
    multistage(std::string name, const std::vector<stage_size>& sizes, const link_parameters& links);
    /// Sets `divisor` and `ways` of a stage, see multistage_shape; with their initial values every output
    /// leads to all destinations.
    void set_way(std::uint32_t stage, std::uint32_t divisor, std::uint32_t ways) {
        m_shape.stages[stage].divisor = divisor;
        m_shape.stages[stage].ways = ways;
    }

    /// Returns the place in the input row of stage `s` + 1 to which place `row` of the output row of stage
    /// `s` is linked.
    virtual std::uint32_t onward(std::uint32_t s, std::uint32_t row) const = 0;
    /// Returns the inverse of onward(): the place in the output row of stage `s` that is linked to place
    /// `row` of the input row of stage `s` + 1.
    virtual std::uint32_t back(std::uint32_t s, std::uint32_t row) const = 0;
    /// Returns the place in the input row of stage 0 into which a node sends.
    virtual std::uint32_t entry(std::uint32_t node) const { return node; }
    /// Returns the inverse of entry(): the node that sends into place `row` of the input row of stage 0.
    virtual std::uint32_t enters(std::uint32_t row) const { return row; }

  private:
    std::uint32_t stage_of(std::uint32_t r) const;

    std::string m_name;
    std::vector<stage_size> m_sizes;  ///< sizes of the stages
    link_parameters m_links;
    std::uint32_t m_nodes = 0, m_routers = 0;
    multistage_shape m_shape;
};

/// Networks of n stages, each of k^(n-1) switches with k inputs and k outputs. Places of a row are numbers of
/// n digits in base k. Stage i takes the output that digit n - 1 - i of the destination gives, which so
/// becomes digit 0 of the place in the output row.
class kary_stages : public multistage {
  public:
    struct parameters : link_parameters {
        std::uint32_t k = 2, n = 3;  ///< inputs and outputs of a switch; number of stages
        static config::schema<parameters> fields();
        /// Throws config::error if the network, with `extra` stages more than n, is too large.
        void check(const config::value& section, std::uint32_t extra = 0) const;
    };

  protected:
    /// `extra`: number of stages before the n, in which every output leads to all destinations.
    kary_stages(std::string name, const parameters& p, std::uint32_t extra = 0);
    /// Returns k^digit, the weight of a digit, below digits() (unchecked), in the number of a place in a row;
    /// digit 0 is the lowest.
    std::uint32_t place(std::uint32_t digit) const { return m_places[digit]; }
    /// Number of inputs, and of outputs, of a switch.
    std::uint32_t k() const { return m_k; }
    /// Number of digits of a place, n.
    std::uint32_t digits() const { return static_cast<std::uint32_t>(m_places.size()); }

  private:
    static std::vector<stage_size> sizes(const parameters& p, std::uint32_t extra);

    std::uint32_t m_k;
    std::vector<std::uint32_t> m_places;  ///< powers of k, see place()
};

}  // namespace sare
