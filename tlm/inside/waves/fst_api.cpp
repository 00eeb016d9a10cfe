// SPDX-License-Identifier: Apache-2.0
/// GTKWave's writer of FST (MIT licence) from Verilator, compiled as Verilator does.
#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
