// Network outputs as plain numbers (specification 5): for each network and input terms, `e x n` values.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neurasp {

// The meaning of the numbers: probabilities, or raw scores to which a softmax is applied (a sigmoid if there is only
// one column).
enum class OutputKind { probabilities, logits };

class NetworkOutputs {
  public:
    struct Entry {
        std::vector<double> values; // row by row, one row per event
        OutputKind kind = OutputKind::probabilities;
        std::string origin; // for diagnostics: where the numbers come from; may be empty
    };

    // Sets the output of `network` for the input that `terms` refers to: the terms of the neural rule, joined
    // by commas, e.g. "i1" or "i1,b2". `values` has e x n numbers, row by row; for n = 2 it may have e x 1, the
    // probabilities of the first outcome. Setting the same terms again replaces the values.
    NetworkOutputs &set(std::string network, std::string terms, std::vector<double> values,
                        OutputKind kind = OutputKind::probabilities, std::string origin = {});

    // Declares that all outputs of `network` are raw logits, whether they are set before or later.
    NetworkOutputs &declare_logits(const std::string &network);

    // Replaces the numbers of a probabilistic rule (VariableSource::rule), e.g. by learned ones.
    NetworkOutputs &set_rule(std::size_t rule, std::vector<double> probabilities);

    // Reads {"digit": {"i1": [[0.1, ...]], "i2": [[...]]}, ...}; arrays may be nested in any way that
    // flattens to e x n. `name` is the file name that diagnostics show.
    // Throws: InputError with the location of the mistake.
    static NetworkOutputs from_json(std::string_view json, const std::string &name = "<json>");

    using Table = std::map<std::string, std::map<std::string, Entry>>;
    const Table &table() const noexcept { return table_; }
    bool empty() const noexcept { return table_.empty(); }
    const std::map<std::size_t, std::vector<double>> &rules() const noexcept { return rules_; }

  private:
    Table table_;
    std::map<std::string, bool> logits_;
    std::map<std::size_t, std::vector<double>> rules_;
};

} // namespace neurasp
