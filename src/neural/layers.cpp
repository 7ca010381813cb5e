// The kinds of layers: each maker below checks its input, draws weights and defines the same computation twice, as
// a C++ function and as TorchScript text.
//
// Idea: a layer is a closure over its tensors, so a kind takes about ten lines and no class of its own, and a list
// of layers can be saved as a module that Python runs. The two definitions could drift apart; tests run both and
// compare the outputs.
//
// Invariants: weights are drawn exactly as PyTorch draws them (uniform in +-1/sqrt(inputs), weight before bias), so
// the same seed gives the same weights there; no layer is created with more than 2^28 weights or outputs, since an
// experiment file could otherwise exhaust the memory. The shape that a layer outputs is not computed by formula:
// zeros are run through the layers made so far. Cost: one forward pass of a single input.
#include "neural/layers.hpp"

#include "data/layer_kinds.hpp"
#include "neural/torch_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace neurasp::neural {

namespace {

using data::LayerKind;
using data::NumberKind;
using data::Numbers;
using torch::Tensor;

constexpr double most_numbers = 268435456.0; // a gigabyte of weights or outputs in one layer

// The arguments of a maker and its result, `layer`.
struct Making {
    const data::LayerSpec &spec;
    const Numbers &numbers;
    const Shape &input; // of one input
    Layer layer;

    std::int64_t number(const std::string &name) const {
        return static_cast<std::int64_t>(numbers.at(name));
    }

    [[noreturn]] void mismatch(const std::string &expected, std::string hint = {}) const {
        throw InputError(Diagnostic{Severity::error,
                                    "layer-input",
                                    fmt::format("layer '{}' expects {}, but its input is {}",
                                                spec.kind, expected, shape_text(input)),
                                    spec.location,
                                    {},
                                    std::move(hint)});
    }

    void need_image() const {
        if (input.size() != 3) mismatch("channels x height x width");
    }

    // Requires the image, with `padding` around it, to be at least as large as a window of `size`.
    void need_room(std::int64_t size, std::int64_t padding) const {
        if (std::min(input[1], input[2]) + 2 * padding >= size) return;
        mismatch(fmt::format("an image of at least {0} x {0}", size - 2 * padding),
                 "make the window smaller or pool less before it");
    }

    // Drawn as PyTorch draws weights and biases: uniform in +-1/sqrt(inputs).
    Tensor parameter(const std::string &name, const Shape &shape, std::int64_t inputs) {
        check_size(shape, "weights");
        const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
        return add_parameter(name, torch::empty(shape).uniform_(-bound, bound));
    }

    // Undefined if the layer has no bias.
    Tensor bias(std::int64_t outputs, std::int64_t inputs) {
        return numbers.at("bias") == 0.0 ? Tensor() : parameter("bias", {outputs}, inputs);
    }
    std::string bias_script() const {
        return numbers.at("bias") == 0.0 ? "None" : fmt::format("self.{}.bias", layer.name);
    }

    Tensor add_parameter(const std::string &name, Tensor value) {
        value.set_requires_grad(true);
        return layer.parameters.emplace_back(name, std::move(value)).second;
    }

    Tensor add_buffer(const std::string &name, Tensor value) {
        return layer.buffers.emplace_back(name, std::move(value)).second;
    }

    void check_size(const Shape &shape, const std::string &what) const {
        double size = 1.0;
        for (const auto length : shape) size *= static_cast<double>(length);
        if (size <= most_numbers) return;
        throw InputError(
            Diagnostic{Severity::error,
                       "layer-size",
                       fmt::format("layer '{}' would have {} = {:.3g} {}, more than {:.3g}",
                                   spec.kind, shape_text(shape), size, what, most_numbers),
                       spec.location,
                       {},
                       "pool or flatten less before it, or give it fewer outputs"});
    }
};

void make_conv(Making &m) {
    m.need_image();
    const auto out = m.number("out"), kernel = m.number("kernel");
    const auto stride = m.number("stride"), padding = m.number("padding");
    m.need_room(kernel, padding);
    const auto steps = [&](std::int64_t length) {
        return (length + 2 * padding - kernel) / stride + 1;
    };
    m.check_size({out, steps(m.input[1]), steps(m.input[2])}, "outputs");
    const auto inputs = m.input[0] * kernel * kernel;
    const Tensor weight = m.parameter("weight", {out, m.input[0], kernel, kernel}, inputs);
    const Tensor bias = m.bias(out, inputs);
    m.layer.apply = [=](const Tensor &x, bool) {
        return torch::conv2d(x, weight, bias, {stride, stride},
                             torch::IntArrayRef{padding, padding});
    };
    m.layer.script = fmt::format("torch.conv2d(x, self.{0}.weight, {1}, [{2}, {2}], [{3}, {3}])",
                                 m.layer.name, m.bias_script(), stride, padding);
}

void make_linear(Making &m) {
    if (m.input.empty() || m.input.size() > 2) {
        m.mismatch("one row of numbers, or rows x columns", "put a layer 'flatten' before it");
    }
    const auto out = m.number("out"), in = m.input.back();
    const Tensor weight = m.parameter("weight", {out, in}, in);
    const Tensor bias = m.bias(out, in);
    m.layer.apply = [=](const Tensor &x, bool) { return torch::linear(x, weight, bias); };
    m.layer.script =
        fmt::format("torch.linear(x, self.{}.weight, {})", m.layer.name, m.bias_script());
}

void make_batch_norm(Making &m) {
    if (m.input.empty()) m.mismatch("at least one dimension");
    const Shape shape = {m.input[0]};
    const Tensor weight = m.add_parameter("weight", torch::ones(shape));
    const Tensor bias = m.add_parameter("bias", torch::zeros(shape));
    const Tensor mean = m.add_buffer("running_mean", torch::zeros(shape));
    const Tensor variance = m.add_buffer("running_var", torch::ones(shape));
    m.layer.apply = [=](const Tensor &x, bool training) {
        return torch::batch_norm(x, weight, bias, mean, variance, training, 0.1, 1e-5, false);
    };
    m.layer.script =
        fmt::format("torch.batch_norm(x, self.{0}.weight, self.{0}.bias, self.{0}.running_mean, "
                    "self.{0}.running_var, self.training, 0.1, 1e-05, False)",
                    m.layer.name);
}

void make_max_pool(Making &m) {
    m.need_image();
    const auto size = m.number("size"), stride = m.number("stride");
    m.need_room(size, 0);
    m.layer.apply = [=](const Tensor &x, bool) {
        return torch::max_pool2d(x, {size, size}, {stride, stride});
    };
    m.layer.script = fmt::format("torch.max_pool2d(x, [{0}, {0}], [{1}, {1}])", size, stride);
}

void make_avg_pool(Making &m) {
    m.need_image();
    const auto size = m.number("size"), stride = m.number("stride");
    m.need_room(size, 0);
    m.layer.apply = [=](const Tensor &x, bool) {
        return torch::avg_pool2d(x, {size, size}, {stride, stride});
    };
    m.layer.script = fmt::format("torch.avg_pool2d(x, [{0}, {0}], [{1}, {1}])", size, stride);
}

void make_grid_pool(Making &m) {
    m.need_image();
    const auto rows = m.number("rows"), columns = m.number("columns");
    if (m.input[1] < rows || m.input[2] < columns) {
        m.mismatch(fmt::format("an image of at least {} x {}", rows, columns),
                   "pool less before it");
    }
    m.layer.apply = [=](const Tensor &x, bool) {
        return std::get<0>(torch::adaptive_max_pool2d(x, {rows, columns}));
    };
    m.layer.script = fmt::format("torch.adaptive_max_pool2d(x, [{}, {}])[0]", rows, columns);
}

void make_global_avg_pool(Making &m) {
    m.need_image();
    m.layer.apply = [](const Tensor &x, bool) { return x.mean(torch::IntArrayRef{2, 3}); };
    m.layer.script = "torch.mean(x, [2, 3])";
}

void make_dropout(Making &m) {
    const double p = m.numbers.at("p");
    m.layer.apply = [=](const Tensor &x, bool training) { return torch::dropout(x, p, training); };
    // With a decimal point; otherwise TorchScript would take 0 for an integer.
    m.layer.script = fmt::format("torch.dropout(x, {:.17f}, self.training)", p);
}

void make_softmax(Making &m) {
    if (m.input.empty() || m.input.size() > 2) {
        m.mismatch("one row of numbers, or rows x columns",
                   "put a layer 'cells' (a row for each place) or 'flatten' before it");
    }
    m.layer.apply = [](const Tensor &x, bool) { return torch::softmax(x, -1); };
    m.layer.script = "torch.softmax(x, -1)";
}

void make_relu(Making &m) {
    m.layer.apply = [](const Tensor &x, bool) { return torch::relu(x); };
    m.layer.script = "torch.relu(x)";
}

void make_tanh(Making &m) {
    m.layer.apply = [](const Tensor &x, bool) { return torch::tanh(x); };
    m.layer.script = "torch.tanh(x)";
}

void make_sigmoid(Making &m) {
    m.layer.apply = [](const Tensor &x, bool) { return torch::sigmoid(x); };
    m.layer.script = "torch.sigmoid(x)";
}

void make_one_hot(Making &m) {
    m.need_image();
    if (m.input[0] != 1) m.mismatch("one channel");
    const auto classes = m.number("classes");
    m.check_size({classes, m.input[1], m.input[2]}, "outputs");
    m.layer.apply = [=](const Tensor &x, bool) {
        const Tensor numbers = torch::arange(classes).view({1, classes, 1, 1});
        return x.round().eq(numbers).to(torch::kFloat);
    };
    m.layer.script =
        fmt::format("torch.mul(torch.eq(torch.round(x), torch.reshape(torch.arange({0}), "
                    "[1, {0}, 1, 1])), 1.0)",
                    classes);
}

void make_flatten(Making &m) {
    m.layer.apply = [](const Tensor &x, bool) { return x.flatten(1); };
    m.layer.script = "torch.flatten(x, 1)";
}

void make_reshape(Making &m) {
    const auto rows = m.number("rows"), columns = m.number("columns");
    std::int64_t size = 1;
    for (const auto length : m.input) size *= length;
    if (size != rows * columns) {
        m.mismatch(fmt::format("{} x {} = {} numbers", rows, columns, rows * columns));
    }
    m.layer.apply = [=](const Tensor &x, bool) { return x.reshape({x.size(0), rows, columns}); };
    m.layer.script = fmt::format("torch.reshape(x, [torch.size(x, 0), {}, {}])", rows, columns);
}

void make_cells(Making &m) {
    m.need_image();
    m.layer.apply = [](const Tensor &x, bool) { return x.flatten(2).transpose(1, 2); };
    m.layer.script = "torch.transpose(torch.flatten(x, 2), 1, 2)";
}

using Maker = void (*)(Making &);

const std::map<std::string, Maker, std::less<>> &makers() {
    static const std::map<std::string, Maker, std::less<>> table = {
        {"avg-pool", make_avg_pool},
        {"batch-norm", make_batch_norm},
        {"cells", make_cells},
        {"conv", make_conv},
        {"dropout", make_dropout},
        {"flatten", make_flatten},
        {"global-avg-pool", make_global_avg_pool},
        {"grid-pool", make_grid_pool},
        {"linear", make_linear},
        {"max-pool", make_max_pool},
        {"one-hot", make_one_hot},
        {"relu", make_relu},
        {"reshape", make_reshape},
        {"sigmoid", make_sigmoid},
        {"softmax", make_softmax},
        {"tanh", make_tanh},
    };
    return table;
}

// The layer as a user would write it: the kind, and numbers that are not defaults.
std::string text_of(const LayerKind &kind, const Numbers &numbers) {
    std::string text = kind.name;
    for (const NumberKind &number : kind.numbers) {
        const double value = numbers.at(number.name);
        const bool is_standard = number.standard     ? value == *number.standard
                                 : number.required() ? false
                                                     : value == numbers.at(number.same_as);
        if (!is_standard) text += fmt::format(" {}={}", number.name, value);
    }
    return text;
}

// "batch-norm", 2 -> "batch_norm2".
std::string script_name(std::string kind, std::size_t count) {
    std::replace(kind.begin(), kind.end(), '-', '_');
    return kind + std::to_string(count);
}

Layer make_layer(const data::LayerSpec &spec, std::size_t count, const Tensor &zeros) {
    const LayerKind &kind = kind_of(spec);
    const Numbers numbers = complete_numbers(kind.numbers, spec.numbers,
                                             fmt::format("layer '{}'", spec.kind), spec.location);
    const Shape input(zeros.sizes().begin() + 1, zeros.sizes().end());
    Making making{spec, numbers, input, {}};
    making.layer.name = script_name(spec.kind, count);
    making.layer.text = text_of(kind, numbers);
    makers().at(spec.kind)(making);
    return std::move(making.layer);
}

} // namespace

std::vector<Layer> make_layers(const std::vector<data::LayerSpec> &specs, const Shape &input) {
    if (input.empty() ||
        std::any_of(input.begin(), input.end(), [](auto length) { return length < 1; })) {
        throw ContractError("make_layers: the shape of an input must be positive numbers");
    }
    const torch::NoGradGuard no_grad;
    Shape batch_shape = input;
    batch_shape.insert(batch_shape.begin(), 1);
    Tensor values = torch::zeros(batch_shape);
    std::vector<Layer> layers;
    std::map<std::string, std::size_t> counts;
    for (const data::LayerSpec &spec : specs) {
        try {
            layers.push_back(make_layer(spec, ++counts[spec.kind], values));
            values = layers.back().apply(values, false);
        } catch (const c10::Error &error) {
            throw InputError(Diagnostic{
                Severity::error,
                "layer-input",
                fmt::format("layer '{}' cannot take {}: {}", spec.kind,
                            shape_text({values.sizes().begin() + 1, values.sizes().end()}),
                            essential_line(error)),
                spec.location,
                {},
                {}});
        }
        layers.back().output.assign(values.sizes().begin() + 1, values.sizes().end());
    }
    return layers;
}

} // namespace neurasp::neural
