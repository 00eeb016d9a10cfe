// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/for_each.h"

namespace sare::traffic {
namespace {

/// The definitions of events, and of the types of this trace: a container for the program (P) and one for
/// each task (T), with states (S), messages (M) and marks (K).
constexpr const char* header = R"(%EventDef PajeDefineContainerType 0
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineStateType 1
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineLinkType 2
%  Alias string
%  Type string
%  StartContainerType string
%  EndContainerType string
%  Name string
%EndEventDef
%EventDef PajeDefineEventType 3
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeCreateContainer 4
%  Time date
%  Alias string
%  Type string
%  Container string
%  Name string
%EndEventDef
%EventDef PajeDestroyContainer 5
%  Time date
%  Type string
%  Name string
%EndEventDef
%EventDef PajeSetState 6
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
%EventDef PajeStartLink 7
%  Time date
%  Type string
%  Container string
%  Value string
%  StartContainer string
%  Key string
%EndEventDef
%EventDef PajeEndLink 8
%  Time date
%  Type string
%  Container string
%  Value string
%  EndContainer string
%  Key string
%EndEventDef
%EventDef PajeNewEvent 9
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
0 P 0 program
0 T P task
1 S T state
2 M P T T message
3 K T mark
)";

/// Returns a text in quotes, in which no quote can be written.
std::string quoted(std::string text) {
    for (char& c : text)
        if (c == '"' || c == '\n') c = '\'';
    return '"' + text + '"';
}

}  // namespace

void views::paje(std::ostream& out) const {
    const cycle_t first = std::max(m.m_first, m.m_when.from);
    out << header << "4 " << first << " p P 0 " << quoted(m.m_program.title()) << '\n';
    for (std::uint32_t k = 0; k < m.m_shown.size(); ++k)
        if (m.m_shown[k]) out << "4 " << first << " t" << k << " T p task" << k << '\n';
    std::vector<bool> under_way;  // messages that have left, by number
    for_each([&](const task_event& e) {
        if (e.is == task_event::state && e.time < end())
            out << "6 " << e.time << " S t" << e.task << ' ' << state_name(static_cast<task_state>(e.what))
                << '\n';
        if (e.is == task_event::mark)
            out << "9 " << e.time << " K t" << e.task << ' '
                << quoted(m.phase_name(static_cast<std::uint32_t>(e.value))) << '\n';
        const bool message = e.is == task_event::left || e.is == task_event::came;
        if (!message || !m.m_shown[e.task] || !m.m_shown[e.other]) return;
        if (e.is == task_event::left && e.what == task_event::data) {
            if (e.number >= under_way.size()) under_way.resize(e.number + 1);
            under_way[e.number] = true;
            out << "7 " << e.time << " M p " << e.value << " t" << e.task << " m" << e.number << '\n';
        }
        if (e.is == task_event::came && e.number < under_way.size() && under_way[e.number])
            out << "8 " << e.time << " M p " << e.value << " t" << e.other << " m" << e.number << '\n';
    });
    for (std::uint32_t k = 0; k < m.m_shown.size(); ++k)
        if (m.m_shown[k]) out << "5 " << end() << " T t" << k << '\n';
    out << "5 " << end() << " P p\n";
}

}  // namespace sare::traffic
