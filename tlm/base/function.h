// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sare {

template <class Signature>
class function;

/// A replacement of std::function for headers that users include, as <functional> adds 6,000 lines. It holds
/// a copy of anything callable, or nothing. Calling an empty function throws std::logic_error.
template <class R, class... Args>
class function<R(Args...)> {
  public:
    function() = default;
    function(std::nullptr_t) {}
    /// Holds `f`; empty if `f` is a null pointer to a function, or an object whose explicit operator bool
    /// returns false, such as an empty std::function. Pointers to members do not compile.
    template <class F,
              class = std::enable_if_t<!std::is_same_v<F, function> && std::is_invocable_r_v<R, F&, Args...>>>
    function(F f) {
        if (can_be_called(f)) m_callable = std::make_unique<holder<F>>(std::move(f));
    }
    function(const function& o) : m_callable(o.m_callable ? o.m_callable->copy() : nullptr) {}
    function(function&&) noexcept = default;
    function& operator=(function o) noexcept {
        m_callable = std::move(o.m_callable);
        return *this;
    }

    /// True if a callable is held.
    explicit operator bool() const { return m_callable != nullptr; }
    /// Calls the callable that is held. Throws std::logic_error if there is none.
    R operator()(Args... args) const {
        if (!m_callable) throw std::logic_error("an empty sare::function was called");
        return m_callable->call(std::forward<Args>(args)...);
    }

  private:
    struct callable {
        virtual ~callable() = default;
        virtual R call(Args... args) = 0;
        virtual std::unique_ptr<callable> copy() const = 0;
    };
    template <class F>
    struct holder final : callable {
        explicit holder(F f) : held(std::move(f)) {}
        R call(Args... args) override { return static_cast<R>(held(std::forward<Args>(args)...)); }
        std::unique_ptr<callable> copy() const override { return std::make_unique<holder>(held); }
        F held;
    };
    template <class F>
    static bool can_be_called(const F& f) {
        if constexpr (std::is_pointer_v<F>)
            return f != nullptr;
        else if constexpr (std::is_constructible_v<bool, const F&> && !std::is_convertible_v<const F&, bool>)
            return static_cast<bool>(f);
        else
            return true;
    }

    std::unique_ptr<callable> m_callable;
};

}  // namespace sare
