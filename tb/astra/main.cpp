// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim with Sare as its network: the options of its analytical backends; --network-configuration is an
// experiment of Sare (README.md here).
#include "tb/astra/network_api.h"

#include <astra-sim/common/Logging.hh>
#include <astra-sim/system/Sys.hh>
#include <common/CmdLineParser.hh>
#include <remote_memory_backend/analytical/AnalyticalRemoteMemory.hh>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace sare::astra {
namespace {

using options = AstraSimAnalytical::CmdLineParser;

experiment read_network(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    return experiment::read(config::load_yaml(file),
                            slash == std::string::npos ? "." : file.substr(0, slash));
}

/// Number of ranks in each dimension of a grid with one node a router; of anything else, one dimension.
std::vector<int> dimensions_of(const topology& map) {
    const auto* grid = map.coordinates();
    if (grid == nullptr || map.nodes() != map.routers()) return {static_cast<int>(map.nodes())};
    return std::vector<int>(grid->dims.begin(), grid->dims.end());
}

double gib_per_s(const experiment& e) {
    return e.nic.flit_bytes / e.clock_seconds() / (1 << 30);
}

/// All ranks of a simulation, each with its host system.
class ranks {
  public:
    ranks(const options& given, astra_network& net, const topology& map, double link_gib_per_s)
        : m_memory(given.get<std::string>("remote-memory-configuration")) {
        const std::vector<int> dims = dimensions_of(map);
        const std::vector<int> queues(dims.size(), given.get<int>("num-queues-per-dim"));
        for (int rank = 0; rank < static_cast<int>(map.nodes()); ++rank) {
            m_apis.push_back(std::make_unique<network_api>(rank, net, link_gib_per_s));
            m_systems.push_back(std::make_unique<AstraSim::Sys>(
                rank, given.get<std::string>("workload-configuration"),
                given.get<std::string>("comm-group-configuration"),
                given.get<std::string>("system-configuration"), &m_memory, m_apis.back().get(), dims, queues,
                given.get<double>("injection-scale"), given.get<double>("comm-scale"),
                given.get<bool>("rendezvous-protocol")));
        }
    }
    void start() {
        for (const auto& s : m_systems) s->workload->fire();
    }

  private:
    Analytical::AnalyticalRemoteMemory m_memory;
    std::vector<std::unique_ptr<network_api>> m_apis;
    std::vector<std::unique_ptr<AstraSim::Sys>> m_systems;
};

void simulate(const options& given) {
    const experiment e = read_network(given.get<std::string>("network-configuration"));
    stepped_network network(e);
    if (const deadlock_report& r = network.check_deadlock(); !r.ok()) throw std::runtime_error(r.text);
    astra_network net(network);
    ranks all(given, net, network.map(), gib_per_s(e));
    all.start();
    net.run();
    std::fprintf(stderr, "sare: %llu messages, all delivered after %.1f ns\n",
                 static_cast<unsigned long long>(net.messages()), net.now_ns());
}

}  // namespace
}  // namespace sare::astra

int main(int argc, char** argv) {
    sare::astra::options given(argv[0]);
    given.parse(argc, argv);
    AstraSim::LoggerFactory::init(given.get<std::string>("logging-configuration"),
                                  given.get<std::string>("logging-folder"));
    int status = 0;
    try {
        sare::astra::simulate(given);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "astra_sare: %s\n", e.what());
        status = 1;
    }
    AstraSim::LoggerFactory::shutdown();
    return status;
}
