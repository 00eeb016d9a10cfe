// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/import/booksim_file.h"

namespace sare::cli {

/// An experiment made of another simulator's configuration.
struct imported_experiment {
    config::value tree;  ///< the experiment
    /// Settings without a counterpart here, each with its place.
    std::vector<std::pair<config::location, std::string>> notes;
    std::string edges;  ///< text of the edge list that network.file is to name; "": none

    /// Returns the experiment as a file, with the notes as comments. `from`: what it was made of.
    std::string yaml(const std::string& from) const;
};

/// Makes an experiment of a configuration of BookSim2. Throws config::error, with the place, for a topology
/// or a value that cannot be had here.
imported_experiment import_booksim(booksim_file& file);

/// Returns the edge list, in Sare's form, of a network file of BookSim2's topology anynet. `file`: its name.
std::string edges_of_anynet(const std::string& file);

}  // namespace sare::cli
