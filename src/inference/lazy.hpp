// A value that is computed once, by the first thread that needs it.
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
