// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/ucis.h"

#include "tb/sare/process/markup.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <sstream>

namespace sare::cli {

std::string ucis_text(const std::string& bins) {
    const std::string time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    const std::string at = R"(file="1" line="1" inlineCount="1"/>)";
    std::string all = fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<UCIS xmlns="UCIS" ucisVersion="1.0" writtenBy="sare" writtenTime="{0}">
<sourceFiles fileName="cosim/functional/router_cover.cpp" id="1"/>
<historyNodes historyNodeId="0" logicalName="sare cosim" physicalName="functional.tsv" kind="HistoryNode_Test" testStatus="true" date="{0}" toolCategory="UCIS:simulator" ucisVersion="1.0" vendorId="sare" vendorTool="sare" vendorToolVersion="1"/>
<instanceCoverages name="router" key="0" moduleName="router">
<id {1}
<covergroupCoverage>
<cgInstance name="pins" key="0"><options/>
<cgId cgName="pins" moduleName="router"><cginstSourceId {1}<cgSourceId {1}</cgId>
)",
                                  time, at);
    std::istringstream lines(bins);
    std::string last;
    for (std::string point, bin, hits; std::getline(lines, point, '\t');) {
        std::getline(lines, bin, '\t');
        std::getline(lines, hits);
        if (point != last)
            all += fmt::format("{}<coverpoint name=\"{}\" key=\"0\"><options/>\n",
                               last.empty() ? "" : "</coverpoint>\n", escaped_markup(point));
        last = point;
        all += fmt::format(
            R"(<coverpointBin name="{}" type="bins" key="0"><range from="0" to="0"><contents coverageCount="{}"/></range></coverpointBin>)"
            "\n",
            escaped_markup(bin), hits);
    }
    return all + (last.empty() ? "" : "</coverpoint>\n") +
           "</cgInstance></covergroupCoverage></instanceCoverages></UCIS>\n";
}

}  // namespace sare::cli
