// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>

/// Records of directories of results, as a store of runs keeps them.
namespace sare::cli {

/// A record of one directory of results.
struct run_record {
    std::int64_t id = 0;  ///< number of the record in the store, from 1; 0: it is not in a store
    std::string kind;     ///< run | sweep | saturate | cosim | regress
    std::string name;     ///< name of the experiment, or of its file
    /// Status. Of a run: that in summary.json; of a sweep: running, completed, failed or interrupted; of
    /// other kinds: the verdict.
    std::string status;
    std::string version;    ///< version of the program
    std::int64_t seed = 0;  ///< seed of the experiment
    /// Hash that is equal for equal configurations that name the same files (identity_of()).
    std::string identity;
    std::string recorded;       ///< time of the record in UTC: 2026-11-26T01:24:30Z
    std::string host;           ///< name of the computer
    std::string machine;        ///< the computer's kind of processor, and its number of hardware threads
    std::string directory;      ///< absolute path of the results; "": other results were written over them
    std::int64_t sweep = 0;     ///< id of the sweep (or search) that it is a point of; 0: none
    std::string configuration;  ///< configuration with all parameters, as JSON
    /// Parameters and headline figures, numbers and texts, by their paths.
    std::vector<std::pair<std::string, json>> values;
};

/// Returns the absolute, normalised name of a directory, by which a store knows it.
std::string stored_name(const std::filesystem::path& directory);

/// Returns a record with kind, directory, version, present time, host and machine; the caller sets the other
/// members.
run_record new_record(const std::string& kind, const std::filesystem::path& directory);

/// Returns the record of a directory with the results of a run of `e`; `name`: used if `e` has no name.
/// Throws config::error if its summary.json cannot be read.
run_record record_of_run(const experiment& e, const std::string& name,
                         const std::filesystem::path& directory);

/// Sets configuration, name, seed and identity of a record from `e`, and adds the parameters to its values.
void add_configuration(run_record& record, const experiment& e);

/// Returns a hash (SHA-256) that is equal for two experiments with equal configuration, plugins, and files of
/// the same path, size and time.
std::string identity_of(const experiment& e);

/// Returns true if `summary`, the content of a summary.json, is of a run of `e` by this version of the
/// program.
bool is_summary_of(const json& summary, const experiment& e);

/// Returns true if `path` in run_record::values is a parameter of the experiment, not a figure.
bool is_parameter(const std::string& path);

/// Adds the scalars of a tree by their dotted paths below `path` ("": none); a list becomes one text, in
/// YAML, a flag "true" or "false"; null is left out.
void add_values(std::vector<std::pair<std::string, json>>& to, const json& tree, const std::string& path);

}  // namespace sare::cli
