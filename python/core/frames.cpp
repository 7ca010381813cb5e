// Frames: the outputs of a fixed list of calls as networks return them, and derivatives by them, in one call.
//
// This is the step of the original's `learn`: it takes one example at a time, so what a step costs is mostly how often
// numbers change hands. A frame therefore reads tensors where they are, puts their numbers between two bounds and makes
// their rows distributions, as the original does, runs the circuit, and writes derivatives to where Python
// wants them. The memory in between belongs to Python (the places of the step), which looks at it in rare cases.
#include "core/steps.hpp"

#include <pybind11/stl.h>

#include <algorithm>

namespace neurasp::python {

namespace {

// The numbers of a tensor without gaps: address, how many, and whether they are double; otherwise they are float.
using Numbers = std::tuple<std::uintptr_t, std::size_t, bool>;
// A network, and which of its blocks.
using Call = std::pair<std::size_t, std::size_t>;

// Calls `action` with a pointer to the numbers.
template <class Action> void with_pointer(const Numbers &numbers, const Action &action) {
    const auto [address, count, is_double] = numbers;
    if (is_double) {
        action(reinterpret_cast<double *>(address));
    } else {
        action(reinterpret_cast<float *>(address));
    }
}

class Frame {
  public:
    // `calls`: which block each tensor belongs to. Outputs are put between `least` and 1 - `least`.
    Frame(std::shared_ptr<Layout> layout, std::shared_ptr<Step> step, std::vector<Call> calls,
          std::uintptr_t logs, double least)
        : layout_(std::move(layout)), step_(std::move(step)), calls_(std::move(calls)), logs_(logs),
          least_(least) {}

    // Makes the outputs of all calls distributions in the step's memory.
    void read(const std::vector<Numbers> &outputs) const {
        require_one_for_each_call(outputs);
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const Block block = block_of(calls_[c], step_->outputs);
            const bool is_first_column = only_first_column(outputs[c], block);
            with_pointer(outputs[c], [&](const auto *numbers) {
                for (std::size_t row = 0; row < block.rows; ++row) {
                    double *place = block.numbers + row * block.outcomes;
                    if (is_first_column) {
                        place[0] = bounded(numbers[row]);
                        place[1] = 1.0 - place[0];
                    } else {
                        normalize(numbers + row * block.outcomes, place, block.outcomes);
                    }
                }
            });
        }
    }

    // Evaluates the circuits. Derivatives in Proposition 1's convention are those of all events, including the ones
    // that do not matter.
    std::vector<ExampleStatus> evaluate(const std::vector<std::uint32_t> &ids,
                                        const CallLimits &limits) {
        step_->observations = ids;
        ++step_->step;
        clear_gradients();
        std::vector<ExampleStatus> status = run<double>(*layout_, *step_, logs_, limits);
        if (layout_->program().options().convention == GradientConvention::proposition1) {
            for (std::size_t e = 0; e < status.size(); ++e) {
                if (status[e] < ExampleStatus::impossible) complete(e);
            }
        }
        return status;
    }

    // The derivatives by the outputs of all calls, times a factor. Of two outcomes, a tensor may have only the first.
    void write(const std::vector<Numbers> &gradients, double factor) const {
        require_one_for_each_call(gradients);
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const Block block = block_of(calls_[c], step_->gradients);
            const std::size_t columns = only_first_column(gradients[c], block) ? 1 : block.outcomes;
            with_pointer(gradients[c], [&](auto *numbers) {
                using Real = std::remove_pointer_t<decltype(numbers)>;
                for (std::size_t row = 0; row < block.rows; ++row) {
                    for (std::size_t o = 0; o < columns; ++o) {
                        *numbers++ =
                            static_cast<Real>(block.numbers[row * block.outcomes + o] * factor);
                    }
                }
            });
        }
    }

    // All of it for one example.
    ExampleStatus learn(std::uint32_t id, const std::vector<Numbers> &outputs,
                        const std::vector<Numbers> &gradients, double factor,
                        const CallLimits &limits) {
        read(outputs);
        const ExampleStatus status = evaluate({id}, limits).front();
        write(gradients, factor);
        return status;
    }

  private:
    struct Block {
        double *numbers = nullptr;
        std::size_t rows = 0; // one for each example and event
        std::size_t outcomes = 0;
    };

    Block block_of(const Call &call, const std::vector<Place> &places) const {
        const NetworkShape &shape = layout_->program().networks().at(call.first);
        const std::size_t rows = step_->block_size * shape.events;
        auto *all = reinterpret_cast<double *>(places.at(call.first).first);
        return {all + call.second * rows * shape.outcomes, rows, shape.outcomes};
    }

    // Throws: py::value_error if there are neither as many numbers as in the block nor, of two outcomes, one for each
    // row.
    static bool only_first_column(const Numbers &numbers, const Block &block) {
        const std::size_t count = std::get<1>(numbers);
        if (count == block.rows * block.outcomes) return false;
        if (block.outcomes == 2 && count == block.rows) return true;
        throw py::value_error("a tensor has a size that does not fit its network");
    }

    void require_one_for_each_call(const std::vector<Numbers> &tensors) const {
        if (tensors.size() != calls_.size()) {
            throw py::value_error("there must be one tensor for each call");
        }
    }

    // NaN stays NaN, so that it is reported as such.
    double bounded(double number) const { return std::clamp(number, least_, 1.0 - least_); }

    template <class Real>
    void normalize(const Real *numbers, double *place, std::size_t outcomes) const {
        double sum = 0.0;
        for (std::size_t o = 0; o < outcomes; ++o) {
            place[o] = bounded(numbers[o]);
            sum += place[o];
        }
        for (std::size_t o = 0; o < outcomes; ++o) place[o] /= sum;
    }

    void clear_gradients() const {
        for (auto &rows : rows_at<double>(layout_->program(), step_->gradients)) {
            std::fill_n(rows.data, rows.count * static_cast<std::size_t>(rows.row_stride), 0.0);
        }
        if (step_->rule_gradients != 0) {
            std::fill_n(reinterpret_cast<double *>(step_->rule_gradients),
                        layout_->program().rule_numbers().size() * step_->block_size, 0.0);
        }
    }

    // Adds Proposition 1's derivative by the outcomes of events that do not matter for an example. All n outcomes of such
    // an event have the same one, 1 for the outcome itself minus 1 for each other one. The circuit does not mention the
    // event, so its derivatives are 0 so far. Those of an event that matters are not all 0 if n > 2 and P(O) > 0: with
    // plain derivatives d they are 2 d - sum(d), and sum(p d) = 1.
    void complete(std::size_t example) const {
        const auto &networks = layout_->program().networks();
        const auto places = rows_at<double>(layout_->program(), step_->gradients);
        for (std::size_t m = 0; m < places.size(); ++m) {
            const std::size_t outcomes = networks[m].outcomes;
            if (outcomes <= 2) continue;
            for (std::size_t row = example; row < places[m].count; row += step_->block_size) {
                for (std::size_t event = 0; event < networks[m].events; ++event) {
                    double *first = &places[m].at(row, event, 0);
                    const bool matters = std::any_of(first, first + outcomes,
                                                     [](double number) { return number != 0.0; });
                    if (!matters) std::fill_n(first, outcomes, 2.0 - static_cast<double>(outcomes));
                }
            }
        }
    }

    std::shared_ptr<Layout> layout_;
    std::shared_ptr<Step> step_;
    std::vector<Call> calls_;
    std::uintptr_t logs_ = 0;
    double least_ = 0.0;
};

} // namespace

void add_frames(py::module_ &module) {
    py::class_<Frame>(module, "Frame")
        .def(py::init<std::shared_ptr<Layout>, std::shared_ptr<Step>, std::vector<Call>,
                      std::uintptr_t, double>())
        .def("read", &Frame::read)
        .def("run", [](Frame &self, const std::vector<std::uint32_t> &ids,
                       const CallLimits &limits) { return as_bytes(self.evaluate(ids, limits)); })
        .def("write", &Frame::write)
        .def("learn",
             [](Frame &self, std::uint32_t id, const std::vector<Numbers> &outputs,
                const std::vector<Numbers> &gradients, double factor, const CallLimits &limits) {
                 return static_cast<int>(self.learn(id, outputs, gradients, factor, limits));
             });
}

} // namespace neurasp::python
