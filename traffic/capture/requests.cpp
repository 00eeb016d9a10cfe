// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/requests.h"

#include <unordered_map>

namespace sare::capture {
namespace {

struct open_requests {
    std::mutex alone;
    /// MPICH gives all sends that have ended at once the same handle; any of them is as good as another.
    std::unordered_multimap<std::uintptr_t, operation> all;
};

open_requests& open() {
    static open_requests& only = *new open_requests;  // as the recorder
    return only;
}

/// Takes out the operation of a handle; a persistent one, and any with `keep`, stays, and has ended.
std::optional<operation> take(MPI_Request request, bool keep) {
    const std::lock_guard<std::mutex> alone(open().alone);
    const auto found = open().all.find(key(request));
    if (found == open().all.end()) return std::nullopt;
    operation o = found->second;
    if (o.start || keep) {
        found->second.events = 0;
        found->second.receive.reset();
        found->second.ended = nullptr;
    } else {
        open().all.erase(found);
    }
    return o;
}

bool was_cancelled(const MPI_Status& status) {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    return cancelled != 0;
}

/// Returns words of a message, in a field of a width.
std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

}  // namespace

void begin_request(MPI_Request request, operation what) {
    const std::lock_guard<std::mutex> alone(open().alone);
    open().all.emplace(key(request), std::move(what));
}

void start_request(MPI_Request request) {
    const std::lock_guard<std::mutex> alone(open().alone);
    const auto found = open().all.find(key(request));
    if (found != open().all.end() && found->second.start) found->second.start(found->second);
}

void end_request(MPI_Request request, const MPI_Status& status, bool keep) {
    const auto o = take(request, keep);
    if (!o) return;
    if (o->ended) o->ended();
    if (o->events == 0) return;
    const bool message = o->receive || o->send_line != 0;
    if (message && was_cancelled(status)) {
        record().patch(o->receive ? o->receive->line : o->send_line, "#");
        return;
    }
    if (o->receive) resolve(*o->receive, status);
    for (std::size_t i = 0; i < o->events; ++i)
        record().event("wait", o->first + static_cast<std::int64_t>(i));
}

void drop_request(MPI_Request request) {
    const std::lock_guard<std::mutex> alone(open().alone);
    const auto found = open().all.find(key(request));
    if (found != open().all.end()) open().all.erase(found);
}

void test_request(MPI_Request request) {
    std::int64_t name = 0;
    {
        const std::lock_guard<std::mutex> alone(open().alone);
        const auto found = open().all.find(key(request));
        if (found == open().all.end() || found->second.events == 0) return;
        name = found->second.first;
    }
    record().repeatable_event("test " + std::to_string(name));
}

operation post_receive(const group_pointer& on, int source, std::int64_t bytes, std::int64_t tag) {
    constexpr std::size_t widest_number = 10;  // of a rank or a tag
    operation o;
    o.first = record().name();
    o.events = 1;
    std::string from =
        source == MPI_ANY_SOURCE ? padded("any", widest_number) : std::to_string(on->peer(source));
    const std::string with = tag == MPI_ANY_TAG ? padded("any", widest_number) : std::to_string(tag);
    const std::string words = from + ' ' + std::to_string(bytes) + ' ' + with;
    posted_receive r;
    r.line = record().event("irecv", words, o.first, on->on());
    r.arguments = r.line + record().prefix() + sizeof "irecv";
    r.width = words.size();
    r.on = on;
    o.receive = r;
    return o;
}

void resolve(const posted_receive& receive, const MPI_Status& status) {
    if (status.MPI_SOURCE < 0) return;
    const std::string words = std::to_string(receive.on->peer(status.MPI_SOURCE)) + ' ' +
                              std::to_string(bytes_of(status)) + ' ' + std::to_string(status.MPI_TAG);
    if (words.size() <= receive.width) record().patch(receive.arguments, padded(words, receive.width));
}

}  // namespace sare::capture
