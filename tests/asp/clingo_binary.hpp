// The clingo binary as the judge: a process of its own, not the library that we call.
#pragma once

#include <cstdint>
#include <string>

namespace neurasp::asp::test {

// Whether there is a `clingo` to ask.
bool has_clingo_binary();

// The number of stable models of a program; of one in aspif if `aspif`.
std::uint64_t count_models(const std::string &program, bool aspif = false);

// What clingo prints for `program` with `arguments`.
std::string run_clingo(const std::string &program, const std::string &arguments);

} // namespace neurasp::asp::test
