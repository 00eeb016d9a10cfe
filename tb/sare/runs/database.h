// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

/// SQLite, as far as the store needs it; every failure is a store_error with the file's name.
namespace sare::cli {

using sql_value = std::variant<std::int64_t, double, std::string>;

class database {
  public:
    /// Opens a file for reading and writing. `create`: true to make the file if it is missing. Waits for
    /// other programs up to a minute, here and later.
    database(const std::string& file, bool create);
    ~database();
    database(const database&) = delete;
    database& operator=(const database&) = delete;

    const std::string& file() const { return m_file; }
    /// Runs statements without parameters.
    void run(const char* statements);
    std::int64_t number(const char* query);  ///< first cell of the first row; 0: there is none
    std::int64_t last_id() const;            ///< number (rowid) of the row that was inserted last
    int changes() const;                     ///< number of rows changed by the last statement
    /// Throws the store_error for a result code of SQLite.
    [[noreturn]] void fail(int code);

    /// A transaction that may write, rolled back by the destructor unless it is committed.
    class transaction {
      public:
        explicit transaction(database& db) : m_db(db) { m_db.run("BEGIN IMMEDIATE"); }
        ~transaction();
        transaction(const transaction&) = delete;
        transaction& operator=(const transaction&) = delete;
        void commit();

      private:
        database& m_db;
        bool m_open = true;
    };

  private:
    friend class statement;
    std::string m_file;
    sqlite3* m_handle = nullptr;
};

/// A statement, whose parameters (question marks) are bound in order. Columns are counted from 0.
class statement {
  public:
    statement(database& db, const std::string& text);
    ~statement();
    statement(const statement&) = delete;
    statement& operator=(const statement&) = delete;

    /// Starts anew with a value for each question mark.
    template <class... Values>
    statement& bind(const Values&... values) {
        reset();
        int at = 0;
        (bind_at(++at, values), ...);
        return *this;
    }
    statement& bind_all(const std::vector<sql_value>& values);
    bool step();  ///< goes to the next row (at first the first one); false: there is none
    /// Runs to the end, and passes over rows.
    void run() {
        while (step()) {
        }
    }
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    bool is_text(int column) const;
    bool is_integer(int column) const;

  private:
    void reset();
    void bind_at(int at, std::int64_t x);
    void bind_at(int at, double x);
    void bind_at(int at, const std::string& x);
    void check(int code);

    database& m_db;
    sqlite3_stmt* m_handle = nullptr;
};

}  // namespace sare::cli
