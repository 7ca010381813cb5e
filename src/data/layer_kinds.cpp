// The table of layer kinds, and the check of given numbers against it.
#include "data/layer_kinds.hpp"

#include "base/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace neurasp::data {

namespace {

constexpr double largest_number = 1e6;

std::string number_range_text(NumberRange range) {
    switch (range) {
    case NumberRange::positive: return fmt::format("an integer from 1 to {}", largest_number);
    case NumberRange::natural: return fmt::format("an integer from 0 to {}", largest_number);
    case NumberRange::probability: return "a number from 0 to less than 1";
    case NumberRange::truth: return "true or false";
    }
    return {};
}

bool is_in_range(NumberRange range, double value) {
    if (range == NumberRange::probability) return value >= 0.0 && value < 1.0;
    if (range == NumberRange::truth) return value == 0.0 || value == 1.0;
    const double least = range == NumberRange::positive ? 1.0 : 0.0;
    return value >= least && value <= largest_number && value == std::floor(value);
}

template <class Kind> std::vector<std::string> kind_names(const std::vector<Kind> &kinds) {
    std::vector<std::string> names;
    for (const Kind &kind : kinds) names.push_back(kind.name);
    return names;
}

std::string hint_for_number(const std::string &name, const std::vector<std::string> &known,
                            const std::string &what) {
    if (const auto closest = base::closest_name(name, known)) {
        return fmt::format("did you mean '{}'?", *closest);
    }
    if (known.empty()) return fmt::format("it has no {}", what);
    return fmt::format("its {} are {}", what, fmt::join(known, ", "));
}

std::vector<LayerKind> make_layer_kinds() {
    using enum NumberRange;
    const NumberKind bias{"bias", truth, "whether a learned number is added", 1.0};
    const NumberKind rows{"rows", positive, "number of rows of the output"};
    const NumberKind columns{"columns", positive, "number of columns of the output"};
    const NumberKind size{"size", positive, "height and width of the window"};
    const NumberKind stride{"stride", positive, "steps between windows", std::nullopt, "size"};
    return {
        {"conv",
         "convolution of channels x height x width",
         {{"out", positive, "number of output channels"},
          {"kernel", positive, "height and width of the kernel"},
          {"stride", positive, "steps between kernels", 1.0},
          {"padding", natural, "zeros around the image", 0.0},
          bias}},
        {"linear",
         "every output is a weighted sum of all inputs; rows x columns: of each row separately",
         {{"out", positive, "number of outputs"}, bias}},
        {"relu", "negative numbers become 0", {}},
        {"tanh", "hyperbolic tangent", {}},
        {"sigmoid", "each number becomes a probability", {}},
        {"softmax", "the numbers of a row (the last dimension) become a distribution", {}},
        {"max-pool", "the largest number of each window", {size, stride}},
        {"avg-pool", "the mean of each window", {size, stride}},
        {"grid-pool", "the largest number in each cell of a grid over the image", {rows, columns}},
        {"global-avg-pool", "the mean of each channel", {}},
        {"batch-norm", "every channel (or number) gets mean 0 and deviation 1 over the batch", {}},
        {"dropout",
         "in training, numbers become 0 at random",
         {{"p", probability, "probability of 0", 0.5}}},
        {"one-hot",
         "each number of a 1 x height x width input becomes a 1 in the channel of that number",
         {{"classes", positive, "number of channels"}}},
        {"flatten", "all numbers of an input in one row", {}},
        {"reshape", "the same numbers as rows x columns", {rows, columns}},
        {"cells",
         "channels x height x width becomes one row for each place: (height * width) x channels",
         {}},
    };
}

} // namespace

const std::vector<LayerKind> &layer_kinds() {
    static const std::vector<LayerKind> kinds = make_layer_kinds();
    return kinds;
}

const LayerKind &kind_of(const LayerSpec &layer) {
    const auto &kinds = layer_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const LayerKind &kind) { return kind.name == layer.kind; });
    if (found != kinds.end()) return *found;
    const auto known = kind_names(kinds);
    const auto closest = base::closest_name(layer.kind, known);
    throw InputError(Diagnostic{Severity::error,
                                "unknown-layer-kind",
                                fmt::format("there is no layer '{}'", layer.kind),
                                layer.location,
                                {},
                                closest ? fmt::format("did you mean '{}'?", *closest)
                                        : fmt::format("layers are {}", fmt::join(known, ", "))});
}

Numbers complete_numbers(const std::vector<NumberKind> &kinds, const Numbers &given,
                         const std::string &owner, const SourceLocation &where) {
    std::vector<Diagnostic> errors;
    const auto error = [&](std::string code, std::string message, std::string hint) {
        errors.push_back(
            {Severity::error, std::move(code), std::move(message), where, {}, std::move(hint)});
    };
    const auto known = kind_names(kinds);
    for (const auto &[name, value] : given) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        error("unknown-layer-number", fmt::format("{} has no number '{}'", owner, name),
              hint_for_number(name, known, "numbers"));
    }
    Numbers complete;
    for (const NumberKind &kind : kinds) {
        const auto found = given.find(kind.name);
        if (found == given.end()) {
            if (kind.required()) {
                error("missing-layer-number",
                      fmt::format("{} lacks the number '{}' ({})", owner, kind.name, kind.meaning),
                      fmt::format("give {} = {}", kind.name, number_range_text(kind.range)));
            } else {
                complete[kind.name] = kind.standard ? *kind.standard : complete[kind.same_as];
            }
        } else if (is_in_range(kind.range, found->second)) {
            complete[kind.name] = found->second;
        } else {
            error("layer-number",
                  fmt::format("{} = {} of {} must be {}", kind.name, found->second, owner,
                              number_range_text(kind.range)),
                  kind.meaning);
        }
    }
    if (!errors.empty()) throw InputError(std::move(errors));
    return complete;
}

} // namespace neurasp::data
