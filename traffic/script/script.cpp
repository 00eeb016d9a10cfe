// SPDX-License-Identifier: Apache-2.0
#include "traffic/script/script.h"

namespace sare::traffic {
namespace {

script_host*& the_host() {
    static script_host* host = nullptr;
    return host;
}

}  // namespace

const config::schema<script>& script::fields() {
    static const config::schema<script> all = [] {
        config::schema<script> s;
        s.text("class", &script::class_name, "a class of a file in Python that 'plugins' names")
            .raw("parameters", &script::parameters, "map", "arguments of its constructor, by name");
        return s;
    }();
    return all;
}

script_host& script_host::of(const script& s) {
    if (s.class_name.empty()) throw config::error(s.at, "'class' is missing: the name of a class in Python");
    if (the_host() == nullptr)
        throw config::error(
            s.at, "class '" + s.class_name +
                      "' is in no plugin; name its file: 'plugins: [mine.py]', or --plugin mine.py");
    return *the_host();
}

void script_host::set(script_host& host) {
    the_host() = &host;
}

namespace variants::script_variants {
namespace {

script placed(const script& s, const config::value& section) {
    script p = s;
    p.at = section.where();
    return p;
}

constexpr const char* sentence = "A class in Python, for trying: slow.";

const config::registration<workload, const workload_context&> registered_workload{
    "python", sentence, script::fields(),
    [](const script& s, const config::value& section, const workload_context& c) {
        const script p = placed(s, section);
        return script_host::of(p).make(p, c);
    }};

const config::registration<pattern, const pattern_context&> registered_pattern{
    "python", sentence, script::fields(),
    [](const script& s, const config::value& section, const pattern_context& c) {
        const script p = placed(s, section);
        return script_host::of(p).make(p, c);
    }};

const config::registration<routing_function, const routing_context&> registered_routing{
    "python", sentence, script::fields(),
    [](const script& s, const config::value& section, const routing_context& c) {
        const script p = placed(s, section);
        return script_host::of(p).make(p, c);
    }};

const config::registration<level_governor> registered_governor{
    "python", sentence, script::fields(), [](const script& s, const config::value& section) {
        const script p = placed(s, section);
        return script_host::of(p).make(p);
    }};

}  // namespace
}  // namespace variants::script_variants

}  // namespace sare::traffic
