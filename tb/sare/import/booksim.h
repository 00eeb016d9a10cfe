// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/import/booksim_file.h"

namespace sare::cli {

/// What a configuration of another simulator becomes.
struct imported_experiment {
    config::value tree;
    /// What has no twin here, each with the place where it is written.
    std::vector<std::pair<config::location, std::string>> notes;
    std::string edges;  ///< an edge list that network.file is to name; "": none

    std::string yaml(const std::string& from) const;
};

imported_experiment import_booksim(booksim_file& file);

/// The edge list of a network file of BookSim2's topology anynet, in our form.
std::string edges_of_anynet(const std::string& file);

}  // namespace sare::cli
