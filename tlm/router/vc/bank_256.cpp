// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"

template class sare::vc_bank<256>;
