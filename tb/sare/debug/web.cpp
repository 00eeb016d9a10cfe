// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/web.h"

#include "tb/sare/commands.h"
#include "tb/sare/debug/breakpoint.h"
#include "tb/sare/debug/debugger.h"
#include "tb/sare/process/process.h"
#include "tb/sare/record/player_page.h"
#include "tb/sare/results/report.h"
#include "tlm/config/text_file.h"
#include "tlm/config/value.h"
#include "tlm/inside/record/network_json.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <map>
#include <mutex>
#include <sstream>

namespace sare::cli {
namespace {

/// Returns a word that nobody guesses.
std::string random_word() {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        throw config::error("debug --web: the system gives no random numbers");
    std::string word;
    for (const unsigned char b : bytes) word += fmt::format("{:02x}", b);
    return word;
}

/// What a page has been told, beside which it gets what is new (class LiveSource of player/tour.js).
struct page_state {
    std::uint64_t packets = 0, cycle = 0;
    std::map<state_json, std::size_t> sets;  ///< output VCs that packets bid for, and the number of the set
};

class page_server {
  public:
    page_server(debugger& all, engine_processes& run, std::string name)
        : m_all(all), m_run(run), m_name(std::move(name)), m_token("/" + random_word()) {}

    int serve() {
        m_port = m_server.bind_to_any_port("127.0.0.1");
        if (m_port < 0) throw config::error("debug --web: no port of 127.0.0.1 is free");
        m_server.set_pre_routing_handler([this](const auto& asked, auto& answer) {
            if (may_ask(asked)) return httplib::Server::HandlerResponse::Unhandled;
            answer.status = 403;
            return httplib::Server::HandlerResponse::Handled;
        });
        m_server.Get(m_token + "/",
                     [this](const auto&, auto& answer) { answer.set_content(page(), "text/html"); });
        m_server.Get(m_token + R"(/(\d+)/(network|state))", [this](const auto& asked, auto& answer) {
            answer.set_content(ask_page(std::stoull(asked.matches[1]), asked), "application/json");
        });
        m_server.Post(m_token + "/command", [this](const auto& asked, auto& answer) {
            answer.set_content(do_command(asked.body), "application/json");
        });
        show(fmt::format("http://127.0.0.1:{}{}/\n", m_port, m_token));
        m_server.listen_after_bind();
        return exit_status::good;
    }

  private:
    /// A page of another origin cannot read answers, but might ask; a name that leads here is no address of
    /// ours.
    bool may_ask(const httplib::Request& asked) const {
        const std::string host = fmt::format("127.0.0.1:{}", m_port);
        const std::string origin = asked.get_header_value("Origin");
        return asked.path.rfind(m_token + "/", 0) == 0 && asked.get_header_value("Host") == host &&
               (origin.empty() || origin == "http://" + host);
    }

    std::string page() {
        const std::lock_guard<std::mutex> alone(m_alone);
        m_pages.emplace_back();
        std::ostringstream text;
        write_player({{"name", m_name}, {"address", fmt::format("{}/{}/", m_token, m_pages.size() - 1)}}, {},
                     text);
        constexpr std::size_t most = 100'000;
        std::string console = config::read_file(
            (scripts_folder().parent_path() / "tb/python/sare/report/web/console.html").string(), most);
        const std::string place = "data-cycle=\"0\"";
        console.replace(console.find(place), place.size(), fmt::format("data-cycle=\"{}\"", m_all.cycle()));
        std::string all = text.str();
        all.insert(std::min(all.rfind("</body>"), all.size()), console);
        return all;
    }

    std::string ask_page(std::size_t number, const httplib::Request& asked) {
        const std::lock_guard<std::mutex> alone(m_alone);
        if (number >= m_pages.size()) return "{}";
        page_state& page = m_pages[number];
        if (asked.matches[2] == "network") {
            page = {};
            return state_json{
                {"from", 0}, {"sets", state_json::array()}, {"network", m_run.ask({{"do", "map"}})}}
                .dump();
        }
        if (asked.has_param("cycle"))
            m_all.go_to(whole_number_of(asked.get_param_value("cycle"), "cycle") + 1);
        return frame(page).dump();
    }

    /// Returns the state of the network, with what is new to a page.
    state_json frame(page_state& page) {
        const bool is_back = m_all.cycle() < page.cycle;
        state_json all = m_run.ask(
            {{"do", "frame"}, {"from", is_back ? 0 : page.packets}, {"since", is_back ? 0 : page.cycle}});
        if (all.contains("error")) return all;
        page.cycle = m_all.cycle();
        page.packets = std::max(page.packets, all["injected"].get<std::uint64_t>());
        state_json sets = state_json::array();
        for (state_json& input : all["inputs"]) {
            if (!input[2].is_array()) continue;
            const auto [set, is_new] = page.sets.emplace(input[2], page.sets.size());
            if (is_new) sets.push_back(set->first);
            input[2] = set->second;
        }
        all["sets"] = std::move(sets);
        return all;
    }

    std::string do_command(const std::string& line) {
        const std::lock_guard<std::mutex> alone(m_alone);
        state_json answer = m_all.command(line);
        const std::string text = answer.is_null() || answer.contains("error") ? "" : text_of_answer(answer);
        if (m_all.has_quit()) m_server.stop();
        return state_json{{"cycle", m_all.cycle()}, {"text", text}, {"answer", std::move(answer)}}.dump(
            -1, ' ', false, state_json::error_handler_t::replace);
    }

    debugger& m_all;
    engine_processes& m_run;
    const std::string m_name, m_token;
    httplib::Server m_server;
    int m_port = -1;
    std::mutex m_alone;  ///< held by the one that asks the debugger
    std::vector<page_state> m_pages;
};

}  // namespace

state_json map_for_page(const network_view& net, const std::vector<std::pair<link_end, link_end>>& links) {
    std::ostringstream text;
    write_network_json(net, links, text);
    return state_json::parse(text.str());
}

int serve_debugger(debugger& all, engine_processes& run, const std::string& name) {
    return page_server(all, run, name).serve();
}

}  // namespace sare::cli
