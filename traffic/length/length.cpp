// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"

#include "tlm/config/hints.h"
#include "tlm/config/schema.h"

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (length_registry::instance().name_kind("length", "name"), true);
[[maybe_unused]] const bool known = config::add_names_of<length_registry>("length", "traffic.length");

/// Spells out `length: 5`, short for `length: {name: fixed, flits: 5}`, also as the name of a section.
config::value spelled_out(const config::value& v) {
    if (v.type() == config::value::kind::map) {
        const config::value* name = v.find("name");
        config::value all = name == nullptr ? v : spelled_out(*name);
        if (all.type() != config::value::kind::map || name == nullptr) return v;
        for (const auto& [key, parameter] : v.entries())
            if (key != "name") all.set(key, parameter);
        return all;
    }
    if (v.type() != config::value::kind::scalar) return v;
    const std::string& text = v.text();
    const bool number =
        !text.empty() && (text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9'));
    if (!number) return v;
    config::to_integer(v, "length", 1, 1 << 20);
    return config::value::map({{"name", config::value::scalar("fixed", v.where())}, {"flits", v}}, v.where());
}

/// The lengths of another law, each rounded up to a multiple of `packet` flits.
class padded_length final : public length_law {
  public:
    padded_length(std::unique_ptr<length_law> data, std::uint32_t packet)
        : length_law(rounded_up(data->smallest(), packet), rounded_up(data->largest(), packet)),
          m_data(std::move(data)),
          m_packet(packet) {}
    double mean_of(const function_of_length& f) const override {
        return m_data->mean_of([&](std::uint32_t flits) { return f(rounded_up(flits, m_packet)); });
    }
    void serialize(archive& a) override { m_data->serialize(a); }

  private:
    static std::uint32_t rounded_up(std::uint32_t flits, std::uint32_t packet) {
        return (flits + packet - 1) / packet * packet;
    }
    std::uint32_t draw(rng& random) override { return rounded_up(m_data->next(random), m_packet); }

    std::unique_ptr<length_law> m_data;
    std::uint32_t m_packet;
};

}  // namespace

double length_law::mean() const {
    return mean_of([](std::uint32_t flits) { return flits; });
}

std::unique_ptr<length_law> padded(std::unique_ptr<length_law> law, std::uint32_t packet) {
    return packet == 1 ? std::move(law) : std::make_unique<padded_length>(std::move(law), packet);
}

std::unique_ptr<length_law> make_length(const config::value& v, const length_context& c) {
    return length_registry::instance().make(spelled_out(v), c);
}
config::value resolve_length(const config::value& v) {
    return length_registry::instance().resolve(spelled_out(v));
}

}  // namespace sare::traffic
