# SPDX-License-Identifier: Apache-2.0
"""Configuration of SST: one job on a torus of merlin's or of Sare's, with parameters as equal as can be had.
sst compare.py --model-options="merlin|sare SHAPE MOTIF": SHAPE as 8x8; MOTIF is of ember's ("Allreduce count=100"), or
"nic MESSAGES BYTES" for merlin's test NIC."""
import sys
from pathlib import Path

from sst.merlin.base import PlatformDefinition, System, hr_router
from sst.merlin.endpoint import TestJob
from sst.merlin.interface import LinkControl, ReorderLinkControl
from sst.merlin.topology import topoTorus

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import sare_sst  # noqa: E402  (lies here)

BUFFERS = {"input_buf_size": "4kB", "output_buf_size": "4kB"}


def merlin(shape):
    topo = topoTorus()
    topo.shape = shape
    topo.width = "x".join("1" for _ in shape.split("x"))
    topo.local_ports = 1
    topo.link_latency = "20ns"
    router = hr_router()
    router.addParams({"link_bw": "4GB/s", "flit_size": "8B", "xbar_bw": "4GB/s", "input_latency": "0ns", "output_latency": "0ns",
                      "num_vns": 1, "xbar_arb": "merlin.xbar_arb_lru", **BUFFERS})
    topo.router = router
    interface = LinkControl()
    interface.addParams({"link_bw": "4GB/s", **BUFFERS})
    return topo, interface


def sare(shape):
    topo = sare_sst.Network()
    dims = [int(n) for n in shape.split("x")]
    topo.nodes = 1
    for n in dims:
        topo.nodes *= n
    topo.experiment = str(HERE / "torus.yaml")
    topo.set = f"network.dims={dims}"
    interface = sare_sst.Endpoint()
    interface.addParams(BUFFERS)
    return topo, interface


def main():
    network, shape, motif, *arguments = sys.argv[1:]
    if motif != "nic":
        from sst.ember import EmberMPIJob
        PlatformDefinition.setCurrentPlatform("firefly-defaults")
    topo, interface = {"merlin": merlin, "sare": sare}[network](shape)
    nodes = topo.getNumNodes()
    if motif == "nic":
        job = TestJob(0, nodes)
        job.num_messages, job.message_size = int(arguments[0]), arguments[1] + "B"
    else:
        job = EmberMPIJob(0, nodes)
        for one in ("Init", " ".join([motif, *arguments]), "Fini"):
            job.addMotif(one)
        job.nic.nic2host_lat = "100ns"
        job.nic.packetSize = "64B"
    job.network_interface = interface
    system = System()
    system.setTopology(topo)
    system.allocateNodes(job, "linear")
    system.build()


main()
