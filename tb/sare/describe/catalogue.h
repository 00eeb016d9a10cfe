// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>
#include <vector>

/// Everything that can be configured, as the registries and the sections declare it.
namespace sare::cli {

struct variant_doc {
    std::string name, sentence;
    std::vector<config::parameter_doc> parameters;
};

/// Variants of one kind: topologies, routing functions, ...
struct variant_family {
    std::string kind;  ///< "topology": also the type of the parameters that hold one
    std::string plural;
    std::string selector;         ///< the key that chooses
    std::string default_variant;  ///< chosen where that key is left out; "": none, it must be there
    bool by_name = true;          ///< a name alone may stand for a section
    std::vector<variant_doc> variants;
};

struct catalogue {
    std::vector<config::parameter_doc> top;  ///< of the experiment
    std::vector<variant_family> families;

    /// The family that a parameter chooses from; null for plain parameters.
    const variant_family* family_of(const config::parameter_doc& d) const;
    /// The family whose parameters an entry of a list may have, beside those of its own; null for all else.
    const variant_family* family_of_exceptions(const config::parameter_doc& d) const;
    /// The family that each entry of a list chooses from, beside keys of its own; null for all else.
    const variant_family* family_of_entries(const config::parameter_doc& d) const;
};

const catalogue& whole_catalogue();

}  // namespace sare::cli
