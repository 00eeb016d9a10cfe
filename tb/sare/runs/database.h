// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

/// Thin C++ layer over SQLite, with the functions that the store needs; every failure throws a store_error
/// with the file's name.
namespace sare::cli {

/// Value that is bound to a question mark of a statement.
using sql_value = std::variant<std::int64_t, double, std::string>;

/// An open SQLite file.
class database {
  public:
    /// Opens a file for reading and writing. `create`: true to make the file if it is missing. The
    /// constructor and later statements wait up to a minute for other programs.
    database(const std::string& file, bool create);
    ~database();
    database(const database&) = delete;
    database& operator=(const database&) = delete;

    const std::string& file() const { return m_file; }  ///< path of the file
    /// Runs one or more statements without parameters, and ignores their rows.
    void run(const char* statements);
    std::int64_t number(const char* query);  ///< returns the first cell of the first row; 0: there is no row
    std::int64_t last_id() const;            ///< returns the number (rowid) of the row that was inserted last
    int changes() const;                     ///< returns the number of rows changed by the last statement
    /// Throws the store_error for a result code of SQLite, with the text of the last failure.
    [[noreturn]] void fail(int code);

    /// A transaction that may write; the destructor rolls it back unless commit() was called.
    class transaction {
      public:
        /// Begins the transaction; `db` must outlive it.
        explicit transaction(database& db) : m_db(db) { m_db.run("BEGIN IMMEDIATE"); }
        ~transaction();
        transaction(const transaction&) = delete;
        transaction& operator=(const transaction&) = delete;
        void commit();  ///< makes the changes permanent

      private:
        database& m_db;
        bool m_open = true;  ///< false: commit() was called
    };

  private:
    friend class statement;
    std::string m_file;
    sqlite3* m_handle = nullptr;
};

/// A statement whose parameters (question marks) are bound in order. Columns are counted from 0. The database
/// must outlive it.
class statement {
  public:
    /// Prepares the one statement of SQL in `text`.
    statement(database& db, const std::string& text);
    ~statement();
    statement(const statement&) = delete;
    statement& operator=(const statement&) = delete;

    /// Starts the statement anew, with a value for each question mark, in order.
    template <class... Values>
    statement& bind(const Values&... values) {
        reset();
        int at = 0;
        (bind_at(++at, values), ...);
        return *this;
    }
    /// Starts the statement anew, as bind() does.
    statement& bind_all(const std::vector<sql_value>& values);
    bool step();  ///< goes to the next row, at first to the first one; returns false if there is none
    /// Runs the statement to its end, and ignores its rows.
    void run() {
        while (step()) {
        }
    }
    /// Returns a cell of the present row as an integer; 0 for a null.
    std::int64_t integer(int column) const;
    /// Returns a cell of the present row as a number; 0 for a null.
    double real(int column) const;
    /// Returns a cell of the present row as text; "" for a null.
    std::string text(int column) const;
    /// Returns true if the cell of the present row is a text.
    bool is_text(int column) const;
    /// Returns true if the cell of the present row is an integer.
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
