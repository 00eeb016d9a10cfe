// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/store_schema.h"

#include "tb/sare/runs/database.h"
#include "tb/sare/runs/run_store.h"

#include <fmt/format.h>

#include <iterator>

namespace sare::cli {
namespace {

constexpr std::int64_t our_mark = 0x73617265;  ///< "sare", as SQLite's application_id

/// Steps from each version to the next; a new store takes all. Never changed: files of each exist.
constexpr const char* steps[] = {
    // 1. A run, and a row for each parameter and figure of it: numbers and texts.
    "CREATE TABLE configuration(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " status TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, identity TEXT NOT NULL,"
    " recorded TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, directory TEXT NOT NULL,"
    " configuration INTEGER NOT NULL REFERENCES configuration(id));"
    "CREATE INDEX run_by_identity ON run(identity, seed, version);"
    "CREATE INDEX run_by_directory ON run(directory);"
    "CREATE TABLE path(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE value(run INTEGER NOT NULL, path INTEGER NOT NULL, value NOT NULL,"
    " PRIMARY KEY(run, path)) WITHOUT ROWID;"
    "CREATE INDEX value_by_path ON value(path, value, run);",
    // 2. Points know their sweep.
    "ALTER TABLE run ADD COLUMN sweep INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX run_by_sweep ON run(sweep);",
};
constexpr auto newest = static_cast<std::int64_t>(std::size(steps));

/// Returns the version of the store; 0: an empty file.
std::int64_t version_of(database& db) {
    const std::int64_t mark = db.number("PRAGMA application_id"), version = db.number("PRAGMA user_version");
    if (mark != our_mark &&
        (mark != 0 || version != 0 || db.number("SELECT count(*) FROM sqlite_master") != 0))
        throw store_error(db.file() + ": is a database, but no store of runs; give another name", false);
    if (version > newest)
        throw store_error(
            fmt::format("{}: is a store of version {}, and this sare knows up to {}; a newer sare reads it",
                        db.file(), version, newest),
            false);
    return version;
}

}  // namespace

void migrate(database& db) {
    if (version_of(db) == newest) return;
    database::transaction all(db);
    for (std::int64_t v = version_of(db); v < newest; ++v)
        db.run(steps[v]);  // asked again: others do so, too
    db.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", our_mark, newest).c_str());
    all.commit();
}

}  // namespace sare::cli
