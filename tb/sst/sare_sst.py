# SPDX-License-Identifier: Apache-2.0
"""A Sare network for configurations that use sst.merlin's System and Jobs, as those of ember do: Network in the place of a topology
of merlin's, Endpoint in the place of its LinkControl."""
import sst
from sst.merlin.base import NetworkInterface, RouterTemplate, Topology


class Endpoint(NetworkInterface):
    """Makes a sare.endpoint. Parameters: input_buf_size, output_buf_size. `link_bw` is the network's, and what is set is not used."""

    def __init__(self):
        NetworkInterface.__init__(self)
        self._declareParams("params", ["input_buf_size", "output_buf_size"])
        self._declareClassVariables(["link_bw"])
        self._subscribeToPlatformParamSet("network_interface")

    def build(self, comp, slot, slot_num, job_id, job_size, logical_nid, use_nid_remap=False, link=None):
        made = comp.setSubComponent(slot, "sare.endpoint", slot_num)
        self._applyStatisticsSettings(made)
        made.addParams(self._getGroupParams("params"))
        made.addParams({"job_id": job_id, "logical_nid": logical_nid, "use_nid_remap": use_nid_remap})
        if not link:
            return made, "rtr_port"
        made.addLink(link, "rtr_port")
        return True


class _Router(RouterTemplate):
    """There are no routers of merlin's; System asks for the interface of nodes without a job."""

    def getDefaultNetworkInterface(self):
        return Endpoint()


class Network(Topology):
    """Makes a sare.network. Parameters: experiment, set, vns. `nodes`: number of its nodes, all of which get an endpoint.
    `link_latency`: of the links between endpoints and the network."""

    def __init__(self):
        Topology.__init__(self)
        self._declareClassVariables(["nodes", "link_latency", "bundleEndpoints"])
        self._declareParams("main", ["experiment", "set", "vns"])
        self.link_latency = "1ns"
        self.router = _Router()

    def getName(self):
        return "Sare"

    def getNumNodes(self):
        return self.nodes

    def _build_impl(self, endpoint):
        made = sst.Component("network", "sare.network")
        self._applyStatisticsSettings(made)
        made.addParams(self._getGroupParams("main"))
        for node in range(self.nodes):
            at_node, port = endpoint.build(node, {})
            if not at_node:
                continue
            link = sst.Link(f"link_of_node{node}")
            if self.bundleEndpoints:
                link.setNoCut()
            link.connect((at_node, port, self.link_latency), (made, f"node{node}", self.link_latency))
