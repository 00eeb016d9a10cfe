# SPDX-License-Identifier: Apache-2.0
"""Runs a script of gem5's folder configs with Sare as its Ruby network:

    gem5.opt tb/gem5/on_sare.py EXPERIMENT configs/example/garnet_synth_traffic.py OPTIONS...

The options are those of the script. --topology still says at which router each controller is."""
import os
import runpy
import sys

from m5.objects import (
    BasicExtLink,
    BasicIntLink,
    BasicRouter,
    SareNetwork,
)


def make_network(options, ruby):
    network = SareNetwork(
        ruby_system=ruby,
        experiment=experiment,
        topology=options.topology,
        routers=[],
        ext_links=[],
        int_links=[],
        netifs=[],
    )
    return network, BasicIntLink, BasicExtLink, BasicRouter, None


def main():
    script = sys.argv[2]
    configs = os.path.abspath(script)
    while os.path.basename(configs) != "configs":
        if configs == "/":
            sys.exit(f"{script} is not in gem5's folder configs")
        configs = os.path.dirname(configs)
    sys.path[:0] = [os.path.dirname(os.path.abspath(script)), configs]  # the first is what addToPath() counts from
    from network import Network

    Network.create_network = make_network
    Network.init_network = lambda options, network, interface: None
    sys.argv = sys.argv[2:]
    runpy.run_path(script, run_name="__m5_main__")


if len(sys.argv) < 3:
    sys.exit(__doc__)
experiment = os.path.abspath(sys.argv[1])
main()
