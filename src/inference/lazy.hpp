// A value that is made when it is first asked for, once, whichever thread asks.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace neurasp::inference {

template <class Value> class Lazy {
  public:
    template <class Make> const Value &get(Make &&make) const {
        std::call_once(once_, [&] { value_.emplace(std::forward<Make>(make)()); });
        return *value_;
    }

  private:
    mutable std::once_flag once_;
    mutable std::optional<Value> value_;
};

} // namespace neurasp::inference
