// SPDX-License-Identifier: Apache-2.0
#pragma once
#if !__has_include(<cci_configuration>)
#error "cci_experiment.h needs Accellera's CCI 1.0: no <cci_configuration> is on the include path"
#endif
#include "tlm/config/hints.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"

#include <cci_configuration>
#include <systemc>

#include <cmath>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace sare {

/// Value of a CCI parameter for any setting: a boolean, a number, a text, null, or a list or map of these.
class cci_setting {
  public:
    cci_setting() = default;
    explicit cci_setting(const config::value& v) : m_value(value_of(v)) {}
    explicit cci_setting(cci::cci_value_cref v) : m_value(v) {}

    const cci::cci_value& value() const { return m_value; }
    bool operator==(const cci_setting& other) const { return m_value == other.m_value; }

  private:
    static cci::cci_value value_of(const config::value& v) {
        if (v.type() == config::value::kind::scalar) return scalar_of(v.text());
        if (v.type() == config::value::kind::list) {
            cci::cci_value_list all;
            for (const config::value& item : v.items()) all.push_back(value_of(item));
            return cci::cci_value(all);
        }
        if (v.type() == config::value::kind::null) return cci::cci_value();
        cci::cci_value_map all;
        for (const auto& [key, item] : v.entries()) all.push_entry(key, value_of(item));
        return cci::cci_value(all);
    }
    static cci::cci_value scalar_of(const std::string& text) {
        if (text == "true" || text == "false") return cci::cci_value(text == "true");
        std::size_t read = 0;
        try {
            if (const long long whole = std::stoll(text, &read); read == text.size())
                return cci::cci_value(cci::int64{whole});
            if (const double x = std::stod(text, &read); read == text.size() && std::isfinite(x))
                return cci::cci_value(x);
        } catch (const std::logic_error&) {  // no number, or none that these types hold
        }
        return cci::cci_value(text);
    }

    cci::cci_value m_value;
};

}  // namespace sare

/// Lets a cci_setting be the type of a CCI parameter; both directions keep the value.
template <>
struct cci::cci_value_converter<sare::cci_setting> {
    using type = sare::cci_setting;
    static constexpr bool enabled = true;
    static bool pack(cci_value_ref to, const type& setting) {
        to = setting.value();
        return true;
    }
    static bool unpack(type& to, cci_value_cref from) {
        to = type(from);
        return true;
    }
};

namespace sare {

/// An experiment whose settings are parameters of CCI (Accellera, Configuration 1.0). The name of each is a
/// prefix (mostly the network's name), a dot, and the path that config::set_parameters() takes:
///
///     broker.set_preset_cci_value("net.router.vcs", cci::cci_value(8));
///     sare::cci_experiment e("net", sare::config::load_yaml("net.yaml"), ".");
///     sare::network net("net", e, 1);
///
/// Presets replace values of the tree. All settings, defaults included, are then immutable parameters,
/// scalars or lists, as long as this object lives.
class cci_experiment : public experiment {
  public:
    /// Reads the experiment with the presets of the current module's broker, or of the global one outside of
    /// modules. `path`: prefix of the parameters' names; `files_in`: folder to which names of other files are
    /// relative. Throws config::error as experiment::read() does; an error in a preset names the preset as
    /// its place.
    cci_experiment(const std::string& path, config::value tree, const std::string& files_in)
        : cci_experiment(path, std::move(tree), files_in, broker()) {}

  private:
    using parameter = cci::cci_param<cci_setting, cci::CCI_IMMUTABLE_PARAM>;

    cci_experiment(const std::string& path, config::value tree, const std::string& files_in,
                   cci::cci_broker_handle from)
        : experiment(read(with_presets(path, std::move(tree), from), files_in)) {
        show(path, resolved(), from);
        show(path + ".threads", config::number(threads), from);  // results do not depend on them
        from.ignore_unconsumed_preset_values(
            [path](const auto& preset) { return is_below(path, preset.first); });
    }
    static bool is_in_module() { return sc_core::sc_get_current_object() != nullptr; }
    /// Returns an empty originator in a module, where only the module's name is allowed; else "sare".
    static cci::cci_originator originator() {
        return is_in_module() ? cci::cci_originator() : cci::cci_originator("sare");
    }
    static cci::cci_broker_handle broker() {
        return is_in_module() ? cci::cci_get_broker() : cci::cci_get_global_broker(originator());
    }
    static bool is_below(const std::string& path, const std::string& its_name) {
        return its_name.compare(0, path.size() + 1, path + '.') == 0;
    }
    static config::value with_presets(const std::string& path, config::value tree,
                                      cci::cci_broker_handle from) {
        std::map<std::string, cci::cci_value> sections_first;
        for (const auto& [its_name, its_value] : from.get_unconsumed_preset_values())
            if (is_below(path, its_name)) sections_first.emplace(its_name, its_value);
        config::settings all;
        for (const auto& [its_name, its_value] : sections_first)
            all.emplace_back(its_name.substr(path.size() + 1),
                             config::parse_yaml(its_value.to_json(), "CCI preset '" + its_name + '\''));
        config::set_parameters(tree, std::move(all));
        return tree;
    }
    void show(const std::string& path, const config::value& v, cci::cci_broker_handle to) {
        if (v.type() == config::value::kind::map) {
            for (const auto& [key, item] : v.entries()) show(path + '.' + key, item, to);
            return;
        }
        m_parameters.emplace_back(path, cci_setting(v), to, "a setting of Sare", cci::CCI_ABSOLUTE_NAME,
                                  originator());
    }

    std::list<parameter> m_parameters;
};

}  // namespace sare
