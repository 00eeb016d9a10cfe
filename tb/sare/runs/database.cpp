// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/database.h"

#include "tb/sare/runs/run_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>

namespace sare::cli {
namespace {

constexpr int most_wait_ms = 60'000;  ///< for other writers

/// Returns what is wrong, and what helps.
std::string text_of_code(int code, sqlite3* db) {
    const std::string said = sqlite3_errmsg(db);
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "other programs have kept it locked for a minute";
        case SQLITE_FULL:
            return "the disk is full";
        case SQLITE_IOERR:
            return fmt::format("cannot be read or written ({})", std::strerror(sqlite3_system_errno(db)));
        case SQLITE_CANTOPEN:
            return "cannot be opened; its folder must be there, and open to you";
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return "cannot be written; it, or its folder, is write-protected";
        case SQLITE_NOTADB:
            return "is no store of runs; give another name";
        case SQLITE_CORRUPT:
            return fmt::format("is damaged ({}); 'sqlite3 FILE .recover | sqlite3 NEW' saves what there is",
                               said);
        default:
            return said;
    }
}

bool passes(int code) {
    const int primary = code & 0xff;
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_FULL ||
           primary == SQLITE_IOERR || primary == SQLITE_NOMEM;
}

}  // namespace

database::database(const std::string& file, bool create) : m_file(file) {
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(file.c_str(), &m_handle, flags, nullptr);
    if (code != SQLITE_OK) {
        const std::string said = text_of_code(code, m_handle);
        sqlite3_close(m_handle);
        throw store_error(file + ": " + said, passes(code));
    }
    sqlite3_busy_timeout(m_handle, most_wait_ms);
}

database::~database() {
    sqlite3_close(m_handle);
}

void database::fail(int code) {
    throw store_error(m_file + ": " + text_of_code(code, m_handle), passes(code));
}

void database::run(const char* statements) {
    if (const int code = sqlite3_exec(m_handle, statements, nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(code);
}

std::int64_t database::number(const char* query) {
    statement s(*this, query);
    return s.step() ? s.integer(0) : 0;
}

std::int64_t database::last_id() const {
    return sqlite3_last_insert_rowid(m_handle);
}

int database::changes() const {
    return sqlite3_changes(m_handle);
}

void database::transaction::commit() {
    m_db.run("COMMIT");
    m_open = false;
}

database::transaction::~transaction() {
    if (m_open) sqlite3_exec(m_db.m_handle, "ROLLBACK", nullptr, nullptr, nullptr);
}

statement::statement(database& db, const std::string& text) : m_db(db) {
    check(sqlite3_prepare_v2(db.m_handle, text.c_str(), static_cast<int>(text.size()), &m_handle, nullptr));
}

statement::~statement() {
    sqlite3_finalize(m_handle);
}

void statement::check(int code) {
    if (code != SQLITE_OK) m_db.fail(code);
}

void statement::reset() {
    sqlite3_reset(m_handle);  // answers how the last step went, which is known
}

void statement::bind_at(int at, std::int64_t x) {
    check(sqlite3_bind_int64(m_handle, at, x));
}
void statement::bind_at(int at, double x) {
    check(sqlite3_bind_double(m_handle, at, x));
}
void statement::bind_at(int at, const std::string& x) {
    check(sqlite3_bind_text(m_handle, at, x.data(), static_cast<int>(x.size()), SQLITE_TRANSIENT));
}

statement& statement::bind_all(const std::vector<sql_value>& values) {
    reset();
    int at = 0;
    for (const sql_value& v : values) std::visit([&](const auto& x) { bind_at(++at, x); }, v);
    return *this;
}

bool statement::step() {
    const int code = sqlite3_step(m_handle);
    if (code != SQLITE_ROW && code != SQLITE_DONE) m_db.fail(code);
    return code == SQLITE_ROW;
}

std::int64_t statement::integer(int column) const {
    return sqlite3_column_int64(m_handle, column);
}
double statement::real(int column) const {
    return sqlite3_column_double(m_handle, column);
}
std::string statement::text(int column) const {
    const auto* text = sqlite3_column_text(m_handle, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column));
    return text == nullptr ? "" : std::string(reinterpret_cast<const char*>(text), size);
}
bool statement::is_text(int column) const {
    return sqlite3_column_type(m_handle, column) == SQLITE_TEXT;
}
bool statement::is_integer(int column) const {
    return sqlite3_column_type(m_handle, column) == SQLITE_INTEGER;
}

}  // namespace sare::cli
