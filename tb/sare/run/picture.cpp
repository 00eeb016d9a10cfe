// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/picture.h"

#include "tb/sare/process/files.h"
#include "tb/sare/results/report.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/results/result_json.h"
#include "tlm/base/temporary_folder.h"
#include "tlm/config/text_file.h"
#include "tlm/network/results/picture.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <limits>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t most_drawn_routers = 4096;
constexpr std::uint64_t most_drawn_channels = 32768;

/// A directory that its destructor removes.
class scratch_directory {
  public:
    scratch_directory() {
        std::string name = (temporary_folder() / "sare-picture-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) fail_with_errno(name, "made");
        m_where = name;
    }
    ~scratch_directory() {
        std::error_code ignored;
        fs::remove_all(m_where, ignored);
    }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    const fs::path& where() const { return m_where; }

  private:
    fs::path m_where;
};

std::uint64_t channels(const topology& map) {
    std::uint64_t count = 0;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            count += map.peer(router_id(r), port_id(p)).what == port_peer::kind::router;
    return count;
}

void check_size(const topology& map, const config::location& at) {
    const char* instead = "--graphviz and --edges write networks of any size, a run's report maps their load";
    if (map.routers() > most_drawn_routers)
        throw config::error(at,
                            fmt::format("{} routers are too many for a picture, which shows at most {}; {}",
                                        map.routers(), most_drawn_routers, instead));
    if (const std::uint64_t count = channels(map); count > most_drawn_channels)
        throw config::error(
            at,
            fmt::format("{} channels between routers are too many for a picture, which shows at most {}; {}",
                        count, most_drawn_channels, instead));
}

}  // namespace

std::string network_svg(const topology& map, const config::location& at) {
    check_size(map, at);
    const scratch_directory scratch;
    const run_result network = picture_of(map);
    json summary{{"status", "not run"}, {"topology", network_json(network)}};
    write_file(scratch.where() / "summary.json", text_of(summary));
    write_network(scratch.where(), network);
    const fs::path svg = scratch.where() / "network.svg";
    if (const std::string problem = draw_network(scratch.where(), svg); !problem.empty())
        throw config::error(problem);
    return config::read_file(svg.string(), std::numeric_limits<std::size_t>::max());
}

}  // namespace sare::cli
