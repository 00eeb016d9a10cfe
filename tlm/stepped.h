// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All that a client needs which steps a network by its own clock, without SystemC: docs/stepped.md.
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/stepped/stepped_network.h"
#include "tlm/topology/topology.h"
