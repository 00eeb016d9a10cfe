// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sst/core/component.h>
