// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Header with everything that a C++ program with an sc_main of its own needs: docs/systemc.md shows how to
/// use it.
#include "tlm/crossing/crossing.h"
#include "tlm/inside/describe.h"
#include "tlm/inside/packet_event_file.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/waves/router_waves.h"
#include "tlm/memory/access_id.h"
#include "tlm/memory/access_options.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/timing/transaction_trace.h"
#include "tlm/router/vc/params.h"
#include "tlm/stats/collector.h"
#include "tlm/systemc/cycle_engine.h"
#include "tlm/systemc/engine_wiring.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/variants.h"
