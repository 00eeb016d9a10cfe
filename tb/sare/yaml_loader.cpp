// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/yaml_loader.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace sare::cli {
namespace {

using config::error;
using config::location;
using config::value;

class converter {
  public:
    converter(std::string file, bool with_lines) : m_file(std::move(file)), m_with_lines(with_lines) {}

    location at(const YAML::Mark& mark) const {
        if (!m_with_lines || mark.is_null()) return {m_file, 0, 0};
        return {m_file, mark.line + 1, mark.column + 1};
    }

    value convert(const YAML::Node& node, int depth = 0) { return convert(node, at(node.Mark()), depth); }

  private:
    value convert(const YAML::Node& node, const location& place, int depth) {
        // Anchors may refer to themselves, or multiply without end.
        if (depth > 100)
            throw error(place, "sections nested more than 100 deep; an alias within its own anchor?");
        if (++m_count > 1'000'000) throw error(place, "more than a million values; aliases of aliases?");
        switch (node.Type()) {
            case YAML::NodeType::Scalar:
                return value::scalar(node.Scalar(), place);
            case YAML::NodeType::Sequence:
                return list(node, place, depth);
            case YAML::NodeType::Map:
                return map(node, place, depth);
            default:
                return value::nothing(place);
        }
    }

    value list(const YAML::Node& node, const location& place, int depth) {
        std::vector<value> items;
        for (const auto& item : node) items.push_back(convert(item, depth + 1));
        return value::list(std::move(items), place);
    }

    value map(const YAML::Node& node, const location& place, int depth) {
        value out = value::map({}, place);
        for (const auto& pair : node) {
            if (!pair.first.IsScalar()) throw error(at(pair.first.Mark()), "a key must be a name");
            const std::string& key = pair.first.Scalar();
            if (const value* first = out.find(key))
                throw error(at(pair.first.Mark()), fmt::format("'{}' is given twice; the first is at {}", key,
                                                               first->where().text()));
            // A section that begins below its key, and a value that is left out, are where the key is.
            const bool below = pair.second.IsNull() || pair.second.Mark().line != pair.first.Mark().line;
            out.set(key, convert(pair.second, at((below ? pair.first : pair.second).Mark()), depth + 1));
        }
        return out;
    }

    std::string m_file;
    bool m_with_lines;
    std::size_t m_count = 0;
};

std::vector<YAML::Node> documents(const std::string& text, const converter& places) {
    try {
        return YAML::LoadAll(text);
    } catch (const YAML::Exception& e) {
        throw error(places.at(e.mark), fmt::format("not valid YAML: {}", e.msg));
    }
}

}  // namespace

std::string read_file(const std::string& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || (in.peek() != std::ifstream::traits_type::eof() && !(text << in.rdbuf())) || in.bad() ||
        errno == EISDIR)
        throw error(location{file, 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno)));
    return text.str();
}

value load_yaml(const std::string& file) {
    converter convert(file, true);
    const auto all = documents(read_file(file), convert);
    if (all.size() > 1)
        throw error(convert.at(all[1].Mark()), "a second YAML document; an experiment is one");
    if (all.empty() || !all[0].IsDefined() || all[0].IsNull())
        throw error(location{file, 1, 1},
                    "nothing in it; an experiment has sections such as network, routing and traffic");
    if (!all[0].IsMap())
        throw error(convert.at(all[0].Mark()),
                    "not a map; an experiment has sections such as network, routing and traffic");
    return convert.convert(all[0]);
}

value parse_yaml(const std::string& text, const std::string& place) {
    converter convert(place, false);
    const auto all = documents(text, convert);
    if (all.size() > 1) throw error(location{place, 0, 0}, "more than one YAML document");
    return all.empty() ? value::nothing({place, 0, 0}) : convert.convert(all[0]);
}

}  // namespace sare::cli
