// The parts of the extension module, and what they share.
#pragma once

#include "neurasp/circuit.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/limits.hpp"

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace neurasp::python {

namespace py = pybind11;

// Each adds its classes and functions to the module.
void add_errors(py::module_ &module);
void add_limits(py::module_ &module);
void add_outputs(py::module_ &module);
void add_questions(py::module_ &module);
void add_circuits(py::module_ &module);
void add_training(py::module_ &module);
void add_learning(py::module_ &module);
void add_steps(py::module_ &module);
void add_frames(py::module_ &module);
void add_reports(py::module_ &module);

// A compiled question or the error that says why there is none. Throws: NoCircuit of neurasp/errors.py.
py::object circuit_of(const Compilation &compilation);

// Limits that also notice Ctrl-C: while a call runs without the interpreter's lock, its progress reports look for
// signals ten times a second, and what a signal handler raises ends the call. `progress` may be a Python callable,
// which gets (phase, done, total, lower, upper, seconds).
struct CallLimits {
    Limits limits;
    py::object progress = py::none();

    // The limits for one call. Requires: the interpreter's lock, and that this object outlives the call.
    Limits watched() const;
};

// The texts of all diagnostics as people read them, options spelt as Python's keyword arguments.
std::string rendered(const std::vector<Diagnostic> &diagnostics);

} // namespace neurasp::python
