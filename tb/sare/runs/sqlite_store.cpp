// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/plugins.h"
#include "tb/sare/runs/condition.h"
#include "tb/sare/runs/run_store.h"
#include "tb/sare/runs/store_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace {

/// Columns of a record that conditions may name.
constexpr const char* columns[] = {"id",       "kind", "name",    "status",    "version", "seed",
                                   "recorded", "host", "machine", "directory", "sweep"};

/// True for columns of integers.
bool is_whole(const std::string& name) {
    return name == "id" || name == "seed" || name == "sweep";
}

bool is_column(const std::string& name) {
    return std::find(std::begin(columns), std::end(columns), name) != std::end(columns);
}

class sqlite_store final : public run_store {
  public:
    sqlite_store(const std::string& file, store_use use) : m_db(file, use == store_use::record) {
        m_db.run("PRAGMA cache_size = -65536");  // 64 MiB
        migrate(m_db);
    }

    std::int64_t put(const run_record& r) override {
        database::transaction all(m_db);
        statement same(m_db,
                       "SELECT id, status, sweep FROM run WHERE directory = ? AND kind = ? AND identity = ? "
                       "AND seed = ? AND version = ?");
        same.bind(r.directory, r.kind, r.identity, r.seed, r.version);
        std::int64_t id = same.step() ? same.integer(0) : 0;
        if (id != 0 && r.kind == "run" && same.text(1) == r.status && same.integer(2) == r.sweep) return id;
        statement(m_db, "UPDATE run SET directory = '' WHERE directory = ? AND id <> ?")
            .bind(r.directory, id)
            .run();
        if (id != 0) statement(m_db, "DELETE FROM value WHERE run = ?").bind(id).run();
        id = write_row(r, id);
        write_values(r, id);
        all.commit();
        return id;
    }

    void forget(const std::string& directory) override {
        statement find(m_db, "SELECT id FROM run WHERE directory = ?");
        if (find.bind(directory).step()) remove({find.integer(0)});
    }

    std::size_t remove(const std::vector<std::int64_t>& ids) override {
        database::transaction all(m_db);
        std::size_t gone = 0;
        statement values(m_db,
                         "DELETE FROM value WHERE run IN (SELECT id FROM run WHERE id = ?1 OR sweep = ?1)");
        statement runs(m_db, "DELETE FROM run WHERE id = ?1 OR sweep = ?1");
        for (const std::int64_t id : ids) {
            values.bind(id).run();
            runs.bind(id).run();
            gone += static_cast<std::size_t>(m_db.changes());
        }
        m_db.run("DELETE FROM configuration WHERE id NOT IN (SELECT configuration FROM run)");
        all.commit();
        return gone;
    }

    std::vector<std::string> directories_of(const run_record& like) override {
        statement find(
            m_db,
            "SELECT directory FROM run WHERE identity = ? AND seed = ? AND version = ? AND kind = 'run' AND "
            "directory <> '' AND status NOT IN ('interrupted', 'failed') ORDER BY id DESC");
        find.bind(like.identity, like.seed, like.version);
        std::vector<std::string> all;
        while (find.step()) all.push_back(find.text(0));
        return all;
    }

    std::vector<std::int64_t> find(const std::string& text, const std::string& sort) override {
        condition c = text.empty() ? condition{"sweep = 0", {}, {}} : parsed(text);
        statement find(m_db,
                       "SELECT id FROM run WHERE " + c.sql + " ORDER BY " + order(sort, c.bound) + "id");
        find.bind_all(c.bound);
        std::vector<std::int64_t> all;
        while (find.step()) all.push_back(find.integer(0));
        return all;
    }

    run_record read(std::int64_t id, const std::vector<std::string>* paths) override {
        statement find(m_db,
                       "SELECT kind, name, status, version, seed, identity, recorded, host, machine, "
                       "directory, sweep FROM run WHERE id = ?");
        if (!find.bind(id).step())
            throw config::error(fmt::format("{}: has no run {}; 'sare runs ls' lists them", m_db.file(), id));
        run_record r;
        r.id = id;
        std::string* const texts[] = {&r.kind, &r.name, &r.status, &r.version};
        for (int i = 0; i < 4; ++i) *texts[i] = find.text(i);
        r.seed = find.integer(4);
        std::string* const more[] = {&r.identity, &r.recorded, &r.host, &r.machine, &r.directory};
        for (int i = 0; i < 5; ++i) *more[i] = find.text(5 + i);
        r.sweep = find.integer(10);
        if (paths != nullptr)
            read_some(r, *paths);
        else
            read_all(r);
        return r;
    }

    std::vector<std::string> paths_in(const std::string& text) override { return parsed(text).paths; }

    std::vector<std::string> paths() override {
        statement find(m_db, "SELECT name FROM path ORDER BY name");
        std::vector<std::string> all;
        while (find.step()) all.push_back(find.text(0));
        return all;
    }

    std::vector<std::string> differing(const std::vector<std::int64_t>& ids) override {
        std::map<std::int64_t, std::pair<json, std::size_t>> seen;  // by path: a value, and how many have it
        const std::size_t count = std::min<std::size_t>(ids.size(), 1000);
        statement find(m_db, "SELECT path, value FROM value WHERE run = ?");
        for (std::size_t k = 0; k < count; ++k) {
            find.bind(ids[k]);
            while (find.step()) {
                auto& [value, same] = seen.try_emplace(find.integer(0), cell(find, 1), 0).first->second;
                if (value == cell(find, 1)) ++same;
            }
        }
        std::vector<std::string> all;
        statement name(m_db, "SELECT name FROM path WHERE id = ?");
        for (const auto& [path, one] : seen)
            if (one.second != count && name.bind(path).step() && is_parameter(name.text(0)))
                all.push_back(name.text(0));
        return all;
    }

    void check_path(const std::string& path) override { place_of(path); }

  private:
    path_place place_of(const std::string& path) {
        if (is_column(path)) return {path, 0, is_whole(path), !is_whole(path)};
        const std::int64_t number = path_number(path);
        if (number == 0) throw config::error(unknown_path(path, known_paths()));
        const auto has = [&](const char* kind) {
            statement find(m_db,
                           std::string("SELECT 1 FROM value WHERE path = ? AND value ") + kind + " LIMIT 1");
            return find.bind(number).step();
        };
        return {"", number, has("< ''"), has(">= ''")};
    }

    /// Returns what a statement sorts by before the number.
    std::string order(const std::string& sort, std::vector<sql_value>& bound) {
        const bool falls = !sort.empty() && sort[0] == '-';
        const std::string path = sort.substr(falls ? 1 : 0);
        if (path.empty()) return "";
        const path_place place = place_of(path);
        const std::string what =
            !place.column.empty() ? place.column : "(SELECT value FROM value WHERE run = id AND path = ?)";
        if (place.column.empty()) bound.insert(bound.end(), 2, place.number);
        return what + " IS NULL, " + what + (falls ? " DESC, " : ", ");
    }

    std::vector<std::string> known_paths() {
        std::vector<std::string> all = paths();
        all.insert(all.end(), std::begin(columns), std::end(columns));
        return all;
    }

    condition parsed(const std::string& text) {
        return parse_condition(text, [this](const std::string& path) { return place_of(path); });
    }

    std::int64_t path_number(const std::string& path) {
        statement find(m_db, "SELECT id FROM path WHERE name = ?");
        return find.bind(path).step() ? find.integer(0) : 0;
    }

    std::int64_t configuration_number(const std::string& text) {
        const std::string digest = sha256(text);
        statement(m_db, "INSERT OR IGNORE INTO configuration(digest, text) VALUES(?, ?)")
            .bind(digest, text)
            .run();
        statement find(m_db, "SELECT id FROM configuration WHERE digest = ?");
        find.bind(digest).step();
        return find.integer(0);
    }

    std::int64_t write_row(const run_record& r, std::int64_t id) {
        const std::int64_t config = configuration_number(r.configuration);
        if (id != 0) {
            statement(
                m_db,
                "UPDATE run SET status = ?, recorded = ?, host = ?, machine = ?, sweep = ? WHERE id = ?")
                .bind(r.status, r.recorded, r.host, r.machine, r.sweep, id)
                .run();
            return id;
        }
        statement(m_db,
                  "INSERT INTO run(kind, name, status, version, seed, identity, recorded, host, machine, "
                  "directory, configuration, sweep) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(r.kind, r.name, r.status, r.version, r.seed, r.identity, r.recorded, r.host, r.machine,
                  r.directory, config, r.sweep)
            .run();
        return m_db.last_id();
    }

    void write_values(const run_record& r, std::int64_t id) {
        statement name(m_db, "INSERT OR IGNORE INTO path(name) VALUES(?)");
        statement row(m_db, "INSERT OR REPLACE INTO value SELECT ?, id, ? FROM path WHERE name = ?");
        for (const auto& [path, v] : r.values) {
            if (is_column(path)) continue;
            name.bind(path).run();
            if (v.is_number_integer())
                row.bind(id, v.get<std::int64_t>(), path).run();
            else if (v.is_number())
                row.bind(id, v.get<double>(), path).run();
            else
                row.bind(id, shown_text(v), path).run();
        }
    }
    static std::string shown_text(const json& v) { return v.is_string() ? v.get<std::string>() : v.dump(); }

    static json cell(const statement& row, int column) {
        if (row.is_text(column)) return row.text(column);
        return row.is_integer(column) ? json(row.integer(column)) : json(row.real(column));
    }

    void read_some(run_record& r, const std::vector<std::string>& paths) {
        statement find(
            m_db, "SELECT value FROM value WHERE run = ? AND path = (SELECT id FROM path WHERE name = ?)");
        for (const std::string& path : paths)
            r.values.emplace_back(path, find.bind(r.id, path).step() ? cell(find, 0) : json());
    }

    void read_all(run_record& r) {
        statement find(
            m_db, "SELECT name, value FROM value JOIN path ON path.id = path WHERE run = ? ORDER BY path.id");
        find.bind(r.id);
        while (find.step()) r.values.emplace_back(find.text(0), cell(find, 1));
        statement text(
            m_db, "SELECT text FROM configuration WHERE id = (SELECT configuration FROM run WHERE id = ?)");
        if (text.bind(r.id).step()) r.configuration = text.text(0);
    }

    database m_db;
};

}  // namespace

std::unique_ptr<run_store> open_store(const std::string& file, store_use use) {
    return std::make_unique<sqlite_store>(file, use);
}

}  // namespace sare::cli
