// Limits of a call, with Ctrl-C and progress.
#include "core/parts.hpp"

#include <pybind11/stl.h>

namespace neurasp::python {

Limits CallLimits::watched() const {
    Limits result = limits;
    result.on_progress = [callback = progress.is_none() ? nullptr : &progress](const Progress &at) {
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (callback == nullptr) return;
        (*callback)(std::string(name_of(at.phase)), at.done, at.total, at.lower, at.upper,
                    at.seconds);
    };
    return result;
}

void add_limits(py::module_ &module) {
    py::class_<CallLimits>(module, "Limits")
        .def(py::init([](std::optional<double> seconds, std::optional<std::uint64_t> models,
                         std::optional<std::uint64_t> bytes, std::optional<std::uint64_t> nodes,
                         std::optional<std::uint64_t> ground_rules, py::object progress) {
                 CallLimits result;
                 result.limits.seconds = seconds;
                 result.limits.models = models;
                 result.limits.bytes = bytes;
                 result.limits.nodes = nodes;
                 result.limits.ground_rules = ground_rules;
                 result.progress = std::move(progress);
                 return result;
             }),
             py::kw_only(), py::arg("seconds") = py::none(), py::arg("models") = py::none(),
             py::arg("bytes") = py::none(), py::arg("nodes") = py::none(),
             py::arg("ground_rules") = py::none(), py::arg("progress") = py::none());
}

} // namespace neurasp::python
