// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <cmath>

/// Noxim's traffic tables: lines `source destination pir [por [t_on t_off t_period]]`, % begins a comment.
namespace sare::traffic::variants::noxim_flows {
namespace {

class noxim final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::vector<flow_line> lines = lines_of(file.text, "", "%");
        bool seven = !lines.empty();
        for (const flow_line& l : lines) seven = seven && l.words.size() == 7;
        return file.text.find('%') != std::string::npos || seven;
    }

    flow_list read(const flow_file& file) const override {
        flow_list all;
        for (const flow_line& l : lines_of(file.text, "", "%")) {
            const config::location at = file.line(l.number);
            if (l.words.size() < 3 || l.words.size() > 7)
                throw config::error(
                    at,
                    "a line of Noxim's table must be 'source destination pir [por [t_on t_off t_period]]'");
            flow f = file.usual;
            f.at = at;
            f.source = file.node(l.words[0], at);
            f.destination = file.node(l.words[1], at);
            const double pir = to_share(l.words[2], at);
            if (pir > 1) throw config::error(at, "the pir is " + l.words[2] + "; it must be from 0 to 1");
            f.rate = pir * f.length;
            if (l.words.size() > 4) add_window(l, at, f);
            all.push_back(f);
        }
        return all;
    }

  private:
    /// Adds the window of a flow: Noxim sends in cycles later than t_on and before t_off of each period.
    static void add_window(const flow_line& l, const config::location& at, flow& f) {
        if (l.words.size() != 7)
            throw config::error(at, "a line of Noxim's table has t_on, t_off and t_period, or none of them");
        const auto cycles = [&](std::size_t i) {
            const double x = to_share(l.words[i], at);
            if (x != std::floor(x) || x > 1e15)
                throw config::error(at, "'" + l.words[i] + "' must be a whole number of cycles");
            return static_cast<std::uint64_t>(x);
        };
        f.begin = cycles(4) + 1;
        f.end = cycles(5);
        f.period = cycles(6);
        if (f.begin >= f.end || f.end > f.period)
            throw config::error(at,
                                "t_on, t_off and t_period must rise, with a cycle between t_on and t_off");
        f.rate *= static_cast<double>(f.end - f.begin) / static_cast<double>(f.period);
    }
};

const config::registration<flow_format> registered{
    "noxim", "Noxim's table: source destination pir por t_on t_off t_period; rates in messages a cycle.",
    config::made<noxim>};

}  // namespace
}  // namespace sare::traffic::variants::noxim_flows
