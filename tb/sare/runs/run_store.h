// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_record.h"

#include <memory>

/// A store of runs: an SQLite file with a record for each directory of results.
namespace sare::cli {

/// Failure of a store of runs.
class store_error : public config::error {
  public:
    store_error(const std::string& what, bool passes) : config::error(what), m_passes(passes) {}
    /// Returns true if the work may succeed another time: the disk is full, or the store is locked. False:
    /// the user has to correct a mistake.
    bool passes() const { return m_passes; }

  private:
    bool m_passes;
};

/// A store of runs. All functions throw store_error if the file fails; each that changes the store is a
/// transaction. A store must not be held across fork(), since SQLite's locks are not inherited.
class run_store {
  public:
    virtual ~run_store() = default;

    /// Adds a record and returns its id. Replaces the record of the same directory, kind, identity, seed and
    /// version, whose id stays. In every other record of this directory `directory` becomes "", since its
    /// results were written over.
    virtual std::int64_t put(const run_record& r) = 0;
    /// Removes the record of a directory, by its stored_name(), and with a sweep the records of its points.
    virtual void forget(const std::string& directory) = 0;
    /// Removes records by their ids, and with a sweep the records of its points. Returns how many records
    /// were removed.
    virtual std::size_t remove(const std::vector<std::int64_t>& ids) = 0;

    /// Returns the directories of finished runs with the identity, seed and version of `like`, the one
    /// recorded last first; the other fields of `like` have no effect.
    virtual std::vector<std::string> directories_of(const run_record& like) = 0;
    /// Returns the ids of the records that meet a condition (condition.h); "": all but points of sweeps. In
    /// ascending order of ids, or by the values of the path `sort`, records without one at the end;
    /// "-load.accepted" begins with the highest. Throws config::error for an unknown path.
    virtual std::vector<std::int64_t> find(const std::string& condition, const std::string& sort = "") = 0;
    /// Returns a record with the values of `paths`, in this order (null: the record has none); with null
    /// `paths`, a record with all values and its configuration. Throws config::error if there is no record
    /// `id`.
    virtual run_record read(std::int64_t id, const std::vector<std::string>* paths = nullptr) = 0;
    /// Returns the paths that a condition names, each once. Throws config::error if it is malformed.
    virtual std::vector<std::string> paths_in(const std::string& condition) = 0;
    /// Returns all paths that records in the store have.
    virtual std::vector<std::string> paths() = 0;
    /// Returns the paths of the parameters that differ among the records `ids`, or that some of them lack.
    /// Only the first thousand records are looked at.
    virtual std::vector<std::string> differing(const std::vector<std::int64_t>& ids) = 0;
    /// Throws config::error, with similar paths, if no record has a value with the path `path`.
    virtual void check_path(const std::string& path) = 0;
};

/// Purpose for which a store is opened.
enum class store_use {
    record,  ///< to add records: makes a store if there is none
    look     ///< to read records: the store must exist
};

/// Opens a store and brings its tables to the newest form. Throws store_error if the file is missing (with
/// `look`), is no store, or cannot be written. A program without SQLite always throws, with a text on how to
/// get it.
std::unique_ptr<run_store> open_store(const std::string& file, store_use use);

}  // namespace sare::cli
