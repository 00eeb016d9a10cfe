// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/import/booksim_file.h"

namespace sare::cli {

/// An experiment made of the configuration of another simulator.
struct imported_experiment {
    config::value tree;  ///< the experiment, as the map that a YAML file of it would have
    /// Settings that could not be converted: place in the configuration, and a sentence about the setting.
    std::vector<std::pair<config::location, std::string>> notes;
    /// Text of an edge list, to be written into the file that network.file of the experiment names; empty: no
    /// file is needed.
    std::string edges;

    /// Returns the experiment as the text of a YAML file, with the notes as comments. `from`: name of the
    /// imported file, for a comment.
    std::string yaml(const std::string& from) const;
};

/// Makes an experiment of a configuration of BookSim2, whose keys it reads. Throws config::error, with the
/// place, for a topology or a value that Sare does not have.
imported_experiment import_booksim(booksim_file& file);

/// Returns the edge list, in Sare's form, for a network file of BookSim2's topology `anynet`. `file`: path of
/// that file. Throws config::error if it cannot be read or is malformed.
std::string edges_of_anynet(const std::string& file);

}  // namespace sare::cli
