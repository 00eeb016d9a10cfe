// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>
#include <vector>

/// Everything that can be configured, as the registries and sections declare it.
namespace sare::cli {

/// One variant: a topology, a router kind, ...
struct variant_doc {
    std::string name, sentence;  ///< name in files, and what it is
    std::vector<config::parameter_doc> parameters;
};

/// The variants of one kind: topologies, routing functions, ...
struct variant_family {
    std::string kind;             ///< "topology"; also the type of parameters that hold one
    std::string plural;           ///< "topologies"
    std::string selector;         ///< key that chooses a variant: "topology", "name"
    std::string default_variant;  ///< variant without that key; "": the key must be there
    bool by_name = true;          ///< true: a name alone may stand for a section
    std::vector<variant_doc> variants;
};

struct catalogue {
    std::vector<config::parameter_doc> top;  ///< parameters of the experiment
    std::vector<variant_family> families;

    /// Returns the family that a parameter chooses from; null for plain parameters.
    const variant_family* family_of(const config::parameter_doc& d) const;
    /// Returns the family whose parameters an entry of a list may have beside its own; null if there is none.
    const variant_family* family_of_exceptions(const config::parameter_doc& d) const;
    /// Returns the family that each entry of a list chooses from, beside its own keys; null if there is none.
    const variant_family* family_of_entries(const config::parameter_doc& d) const;
};

/// Returns the catalogue of this program, with the plugins that were loaded before the first call.
const catalogue& whole_catalogue();

}  // namespace sare::cli
