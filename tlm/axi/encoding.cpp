// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/encoding.h"

namespace sare::axi {

burst_rule broken_rule(const burst_shape& b, std::uint32_t bus_bytes) {
    const bool power_of_2 = (b.beats & (b.beats - 1U)) == 0;
    if (b.type > burst::wrap) return {"BURST", "a burst is FIXED, INCR or WRAP"};
    if (b.size > 7 || (1U << b.size) > bus_bytes) return {"SIZE", "a beat is wider than the bus"};
    if (b.beats == 0 || b.beats > 256) return {"LEN", "a burst has 1 to 256 beats"};
    const std::uint64_t beat = std::uint64_t{1} << b.size, in_page = b.address % page_bytes;
    if (b.type == burst::incr)
        return in_page - b.address % beat + b.beats * beat > page_bytes
                   ? burst_rule{"ADDR_BOUNDARY", "a burst crosses 4 KiB"}
                   : burst_rule();
    if (b.beats > 16)
        return {b.type == burst::fixed ? "LEN_FIXED" : "LEN_WRAP",
                "a FIXED or WRAP burst has 16 beats at the most"};
    if (b.type == burst::fixed) return {};
    if (!power_of_2 || b.beats == 1) return {"LEN_WRAP", "a WRAP burst has 2, 4, 8 or 16 beats"};
    return b.address % beat != 0 ? burst_rule{"ADDR_WRAP_ALIGN", "a WRAP burst begins at a whole beat"}
                                 : burst_rule();
}

}  // namespace sare::axi
