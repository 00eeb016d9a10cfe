// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/import/booksim_file.h"

namespace sare::cli {

/// An experiment made of another simulator's configuration.
struct imported_experiment {
    config::value tree;
    /// Settings without a counterpart here, each with its place.
    std::vector<std::pair<config::location, std::string>> notes;
    std::string edges;  ///< edge list that network.file is to name; "": none

    std::string yaml(const std::string& from) const;
};

imported_experiment import_booksim(booksim_file& file);

/// Returns the edge list, in our form, of a network file of BookSim2's topology anynet.
std::string edges_of_anynet(const std::string& file);

}  // namespace sare::cli
