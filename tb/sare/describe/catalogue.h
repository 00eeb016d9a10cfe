// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>
#include <vector>

/// Catalogue of all parameters and variants of experiments, as registries and sections declare them.
namespace sare::cli {

/// One variant of a family: a topology, a kind of router, a routing function and so on.
struct variant_doc {
    std::string name, sentence;  ///< name of the variant in files, and a sentence about it
    /// Parameters that only this variant has.
    std::vector<config::parameter_doc> parameters;
};

/// The variants of one kind, such as all topologies.
struct variant_family {
    /// Singular name, such as "topology"; also the type of parameters whose value chooses a variant.
    std::string kind;
    std::string plural;           ///< plural name, such as "topologies"
    std::string selector;         ///< key that chooses a variant in a section, such as "topology" or "name"
    std::string default_variant;  ///< variant that is taken without that key; empty: the key must be given
    bool by_name = true;          ///< true: the name of a variant alone may stand in the place of a section
    std::vector<variant_doc> variants;
};

/// All parameters of an experiment, and all families of variants.
struct catalogue {
    std::vector<config::parameter_doc> top;  ///< parameters of an experiment at the top level, with those of
                                             ///< its sections
    std::vector<variant_family> families;

    /// Returns the family from which the value of a parameter chooses; null if its value is plain.
    const variant_family* family_of(const config::parameter_doc& d) const;
    /// Returns the family whose parameters an entry of a list may have besides its own keys; null if there is
    /// none.
    const variant_family* family_of_exceptions(const config::parameter_doc& d) const;
    /// Returns the family from which each entry of a list chooses, besides its own keys; null if there is
    /// none.
    const variant_family* family_of_entries(const config::parameter_doc& d) const;
};

/// Returns the catalogue of this program, valid until it ends; plugins are in it if they were loaded before
/// the first call.
const catalogue& whole_catalogue();

}  // namespace sare::cli
