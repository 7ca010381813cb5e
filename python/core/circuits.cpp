// Compiled questions: texts, drawings, layers and the evaluator.
#include "core/parts.hpp"

#include "neurasp/network_outputs.hpp"
#include "protocol/circuits.hpp"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include <cstring>

namespace neurasp::python {

namespace {

// Integers as bytes, which array.array, numpy and torch all read.
py::bytes bytes_of(const std::vector<std::int64_t> &numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(std::int64_t)};
}

py::dict sums_dict(const CircuitLayers::Sums &sums) {
    py::list groups;
    for (const CircuitLayers::Group &group : sums.groups) {
        groups.append(py::make_tuple(group.width, group.rows, py::tuple(py::cast(group.outcomes))));
    }
    py::dict result;
    result["groups"] = groups;
    result["left"] = bytes_of(sums.left);
    result["right"] = bytes_of(sums.right);
    return result;
}

py::dict layers(const CompiledQuestion &question, std::size_t least_shared) {
    const CircuitLayers found = question.layers(least_shared);
    py::dict result;
    result["fixed"] = found.fixed;
    result["root"] = found.root;
    result["constants"] = found.constants;
    result["values"] = sums_dict(found.values);
    result["derivatives"] = sums_dict(found.derivatives);
    result["input_places"] = bytes_of(found.input_places);
    return result;
}

// An evaluator that keeps its buffers from batch to batch; for one thread at a time.
template <class Real> class Evaluator {
  public:
    explicit Evaluator(const CompiledQuestion &circuit)
        : inputs_(circuit.input_count()), evaluator_(circuit) {}

    void run(std::uintptr_t weights, std::size_t batch, std::uintptr_t logs,
             std::uintptr_t gradient) {
        const py::gil_scoped_release unlock;
        const std::size_t numbers = inputs_ * batch;
        evaluator_.run({reinterpret_cast<const Real *>(weights), numbers}, batch,
                       {reinterpret_cast<Real *>(logs), batch},
                       {reinterpret_cast<Real *>(gradient), gradient == 0 ? 0 : numbers});
    }

  private:
    std::size_t inputs_;
    CircuitEvaluator<Real> evaluator_;
};

template <class Real> void add_evaluator(py::module_ &module, const char *name) {
    py::class_<Evaluator<Real>>(module, name)
        .def(py::init<const CompiledQuestion &>())
        .def("run", &Evaluator<Real>::run);
}

template <class Real>
void evaluate(const CompiledQuestion &circuit, std::uintptr_t weights, std::size_t batch,
              std::uintptr_t logs, std::uintptr_t gradient) {
    Evaluator<Real>(circuit).run(weights, batch, logs, gradient);
}

} // namespace

py::object circuit_of(const Compilation &compilation) {
    if (compilation.circuit) return py::cast(*compilation.circuit);
    const py::object error =
        py::module_::import("neurasp.errors").attr("NoCircuit")("no circuit: " + compilation.note);
    PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
    throw py::error_already_set();
}

void add_circuits(py::module_ &module) {
    py::class_<CompiledQuestion>(module, "Compiled")
        .def("to_nnf", &CompiledQuestion::to_nnf)
        .def("to_dot", [](const CompiledQuestion &self) { return self.to_dot(); })
        .def("to_text", &CompiledQuestion::to_text)
        .def("choice_count", &CompiledQuestion::choice_count)
        .def("input_count", &CompiledQuestion::input_count)
        .def("summary",
             [](const CompiledQuestion &self) {
                 return protocol::line(protocol::to_json(self, false, {}, std::nullopt));
             })
        .def("weights", [](const CompiledQuestion &self,
                           const NetworkOutputs &outputs) { return self.weights(outputs); })
        .def("variables",
             [](const CompiledQuestion &self) {
                 std::vector<std::tuple<std::string, std::vector<std::string>, std::size_t,
                                        std::string, std::string, std::size_t>>
                     result;
                 for (const CircuitVariable &variable : self.variables()) {
                     result.emplace_back(variable.name, variable.atoms, variable.first_input,
                                         variable.source.network, variable.source.terms,
                                         variable.source.event);
                 }
                 return result;
             })
        .def("layers", &layers)
        .def("evaluate_double", &evaluate<double>)
        .def("evaluate_float", &evaluate<float>);
    add_evaluator<double>(module, "DoubleEvaluator");
    add_evaluator<float>(module, "FloatEvaluator");
}

} // namespace neurasp::python
