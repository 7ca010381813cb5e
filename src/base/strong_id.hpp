// Integer ids that cannot be mixed up: an AtomId is not a VariableId.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace neurasp::base {

template <class Tag> struct StrongId {
    std::uint32_t value = 0;

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::uint32_t v) : value(v) {}
    constexpr explicit StrongId(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
    constexpr std::size_t index() const noexcept { return value; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

} // namespace neurasp::base

template <class Tag> struct std::hash<neurasp::base::StrongId<Tag>> {
    std::size_t operator()(neurasp::base::StrongId<Tag> id) const noexcept { return id.value; }
};
