// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/options.h"

/// Sare's own list: lines `source destination rate [class] [length] [key=value ...]`.
namespace sare::traffic::variants::flow_list_file {
namespace {

class list final : public flow_format {
  public:
    /// Recognises nothing: it reads what no other format recognises.
    bool recognises(const flow_file&) const override { return false; }

    flow_list read(const flow_file& file) const override {
        static const auto fields = flow_options::fields();
        flow_list all;
        for (const flow_line& l : lines_of(file.text, "", "#")) {
            const config::location at = file.line(l.number);
            config::value section = config::value::map({}, at);
            std::vector<std::string> words;
            for (const std::string& word : l.words) {
                const std::size_t equals = word.find('=');
                if (equals == std::string::npos)
                    words.push_back(word);
                else
                    section.set(word.substr(0, equals), config::value::scalar(word.substr(equals + 1), at));
            }
            if (words.size() < 3 || words.size() > 5)
                throw config::error(
                    at, "a flow must be 'source destination rate [class] [length] [key=value ...]'");
            const char* keys[] = {"rate", "class", "length"};
            for (std::size_t i = 2; i < words.size(); ++i)
                section.set(keys[i - 2], config::value::scalar(words[i], at));
            flow_options o;
            fields.read(section, o, "flow");
            flow f = file.usual;
            f.at = at;
            f.source = file.node(words[0], at);
            f.destination = file.node(words[1], at);
            o.apply(section, file.units, f);
            all.push_back(f);
        }
        return all;
    }
};

const config::registration<flow_format> registered{
    "list", "Lines 'source destination rate [class] [length] [key=value ...]'; # begins a comment.",
    config::made<list>};

}  // namespace
}  // namespace sare::traffic::variants::flow_list_file
