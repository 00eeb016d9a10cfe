# SPDX-License-Identifier: Apache-2.0
from m5.objects.Network import RubyNetwork
from m5.params import *


class SareNetwork(RubyNetwork):
    type = "SareNetwork"
    cxx_class = "sare::ruby::ruby_network"
    cxx_header = "ruby_network.h"

    experiment = Param.String("file of Sare that describes the network (YAML)")
    nodes = VectorParam.Unsigned(
        [],
        "node of Sare's network for each controller, in Ruby's order; none: a node at Sare's router of the number that "
        "gem5's topology gives the controller",
    )
    source_queue = Param.Unsigned(
        4,
        "messages of a virtual network that wait in a network interface; more wait in the controller's MessageBuffer",
    )
