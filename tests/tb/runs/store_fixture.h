// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tb/program.h"

#include <sqlite3.h>

/// A program with a store of runs, which SQLite looks at by itself.
namespace sare::test {

class store_program : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
    }

    /// Runs SQL on a file; answers the first cell of the last row.
    std::string sql(const std::string& statements, const std::string& file = "runs.db") const {
        sqlite3* db = nullptr;
        EXPECT_EQ(sqlite3_open(at(file).c_str(), &db), SQLITE_OK);
        sqlite3_busy_timeout(db, 60000);
        std::string cell;
        char* problem = nullptr;
        const auto take = [](void* to, int, char** cells, char**) {
            *static_cast<std::string*>(to) = cells[0] == nullptr ? "" : cells[0];
            return 0;
        };
        EXPECT_EQ(sqlite3_exec(db, statements.c_str(), take, &cell, &problem), SQLITE_OK)
            << statements << ": " << (problem == nullptr ? "" : problem);
        sqlite3_free(problem);
        sqlite3_close(db);
        return cell;
    }

    outcome runs(const std::string& line) const { return sare("runs " + line + " --store runs.db"); }
    outcome run(const std::string& line) const {
        return sare("run small.yaml --no-report --store runs.db " + line);
    }
    nlohmann::json exported(const std::string& condition = "") const {
        return nlohmann::json::parse(runs("export --format json " + condition).out);
    }
};

}  // namespace sare::test
