// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_record.h"

#include <memory>

/// A store of runs: an SQLite file with a record for each directory of results.
namespace sare::cli {

/// What a store cannot do.
class store_error : public config::error {
  public:
    store_error(const std::string& what, bool passes) : config::error(what), m_passes(passes) {}
    /// It may go well another time: the disk is full, or the store is locked. Else the user has a mistake to
    /// mend.
    bool passes() const { return m_passes; }

  private:
    bool m_passes;
};

/// All calls throw store_error; each is a transaction. Never held across fork(): SQLite's locks do not come
/// along.
class run_store {
  public:
    virtual ~run_store() = default;

    /// Adds a record and answers its number. A record of the same directory, kind, identity, seed and version
    /// is replaced; others of this directory lose it.
    virtual std::int64_t put(const run_record& r) = 0;
    /// Takes out the record of a directory.
    virtual void forget(const std::string& directory) = 0;
    /// Takes out records, and those of the points of sweeps; answers how many.
    virtual std::size_t remove(const std::vector<std::int64_t>& ids) = 0;

    /// Directories of finished runs like `r`, by identity, seed and version; the last one first.
    virtual std::vector<std::string> directories_of(const run_record& like) = 0;
    /// Numbers of those that meet a condition (condition.h); "": of all but points of sweeps. They ascend, or
    /// are in the order of the values of the path `sort`, those without one at the end; "-load.accepted"
    /// begins with the highest.
    virtual std::vector<std::int64_t> find(const std::string& condition, const std::string& sort = "") = 0;
    /// A record, with the values of `paths`, in this order (null: it has none), or with all; its
    /// configuration only then. config::error where there is none.
    virtual run_record read(std::int64_t id, const std::vector<std::string>* paths = nullptr) = 0;
    /// Paths that a condition names, each once.
    virtual std::vector<std::string> paths_in(const std::string& condition) = 0;
    virtual std::vector<std::string> paths() = 0;
    /// Parameters that are not the same in all of these records, of which the first thousand are looked at.
    virtual std::vector<std::string> differing(const std::vector<std::int64_t>& ids) = 0;
    /// Throws config::error, with what may be meant, for what is no path of any record.
    virtual void check_path(const std::string& path) = 0;
};

enum class store_use {
    record,  ///< it is made where there is none
    look     ///< it must be there
};

/// Opens a store and brings it to the newest form. store_error, which in a program without SQLite says how to
/// get it.
std::unique_ptr<run_store> open_store(const std::string& file, store_use use);

}  // namespace sare::cli
