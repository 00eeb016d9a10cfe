// SPDX-License-Identifier: Apache-2.0
#include "tb/python/python_value.h"

#include <charconv>
#include <cmath>

namespace sare::python {
namespace py = pybind11;

config::value to_value(py::handle object, const std::string& place) {
    const config::location at{place.empty() ? "experiment" : place, 0, 0};
    if (object.is_none()) return config::value::nothing(at);
    if (py::isinstance<py::bool_>(object))
        return config::value::scalar(object.cast<bool>() ? "true" : "false", at);
    if (py::isinstance<py::float_>(object)) return config::number(object.cast<double>(), at);
    if (py::isinstance<py::int_>(object) || py::isinstance<py::str>(object))
        return config::value::scalar(py::str(object), at);
    if (py::isinstance<py::dict>(object)) {
        std::vector<config::value::entry> entries;
        for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(object)) {
            const std::string name = py::str(key);
            entries.emplace_back(name, to_value(item, place.empty() ? name : place + "." + name));
        }
        return config::value::map(std::move(entries), at);
    }
    if (py::isinstance<py::sequence>(object)) {
        std::vector<config::value> items;
        for (const py::handle item : py::reinterpret_borrow<py::sequence>(object))
            items.push_back(to_value(item, place));
        return config::value::list(std::move(items), at);
    }
    throw config::error(at, "a " + std::string(py::str(py::type::of(object).attr("__name__"))) +
                                "; an experiment has numbers, texts, lists and sections");
}

namespace {

py::object from_scalar(const std::string& text) {
    if (text == "true" || text == "false") return py::bool_(text == "true");
    const char* const end = text.data() + text.size();
    std::int64_t whole = 0;
    if (const auto [at, problem] = std::from_chars(text.data(), end, whole);
        at == end && problem == std::errc())
        return py::int_(whole);
    double number = 0;
    const auto [at, problem] = std::from_chars(text.data(), end, number);
    if (at == end && problem == std::errc() && std::isfinite(number)) return py::float_(number);
    return py::str(text);
}

}  // namespace

py::object from_value(const config::value& v) {
    switch (v.type()) {
        case config::value::kind::null:
            break;
        case config::value::kind::scalar:
            return from_scalar(v.text());
        case config::value::kind::list: {
            py::list all;
            for (const auto& item : v.items()) all.append(from_value(item));
            return all;
        }
        case config::value::kind::map: {
            py::dict all;
            for (const auto& [key, item] : v.entries()) all[py::str(key)] = from_value(item);
            return all;
        }
    }
    return py::none();
}

}  // namespace sare::python
