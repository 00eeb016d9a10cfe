// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Header with everything that a program needs to step a network cycle by cycle by its own clock, without
/// SystemC: docs/stepped.md shows how.
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/stepped/stepped_network.h"
#include "tlm/topology/topology.h"
