// A NeurASP program as text: read and checked, not yet grounded.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace neurasp {

namespace internal {
struct Access; // gives the library's own layers access; not for users
}

// A text, and the name that diagnostics show for it.
struct NamedText {
    std::string name;
    std::string text;
};

// Options of reading and grounding.
struct ProgramOptions {
    bool allow_script = false;
    bool allow_include = false;
    std::vector<std::pair<std::string, std::string>> constants; // as clingo's -c name=value
};

// A probabilistic rule as written in the program.
struct ProbabilisticRule {
    std::string text;
    std::vector<std::string> atoms; // one per outcome
    std::vector<double> probabilities;
    bool learnable = false;
};

// One or more texts, read together. Cheap to copy. Never changes, so any number of threads may use it.
class Program {
  public:
    // Throws: InputError.
    explicit Program(std::vector<NamedText> texts, ProgramOptions options = {});
    // Reads files; "-" is standard input. Throws: InputError, EnvironmentError.
    static Program from_files(const std::vector<std::string> &paths, ProgramOptions options = {});
    static Program from_text(std::string text, ProgramOptions options = {});

    // In the order of VariableSource::rule.
    std::vector<ProbabilisticRule> probabilistic_rules() const;
    // The generated clingo program.
    const std::string &clingo_text() const;

  private:
    friend struct internal::Access;
    struct Parts;
    std::shared_ptr<const Parts> parts_;
};

} // namespace neurasp
