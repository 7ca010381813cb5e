// The clingo binary as the judge: a separate process, not the library that we call.
#pragma once

#include <cstdint>
#include <string>

namespace neurasp::asp::test {

// Whether `clingo` can be run.
bool has_clingo_binary();

// The number of stable models of a program, which is written in aspif if `aspif`.
std::uint64_t count_models(const std::string &program, bool aspif = false);

// The output of clingo for `program` with `arguments`.
std::string run_clingo(const std::string &program, const std::string &arguments);

} // namespace neurasp::asp::test
