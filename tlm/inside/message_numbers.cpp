// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/message_numbers.h"

#include "tlm/state/archive.h"

namespace sare {

void message_numbers::known::serialize(archive& a) {
    a(number, generated, source, is_there);
}

void message_numbers::serialize(archive& a) {
    a(m_known, m_count);
}

}  // namespace sare
