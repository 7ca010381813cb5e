// The extension module neurasp._core: the public C++ interface for Python, without Torch and without numpy.
//
// Everything that people see is written in Python (python/neurasp); this module hands over texts, numbers and
// memory addresses. An answer comes back as the JSON text that src/protocol makes of it, so that Python, the
// command and the page show the same members.
//
// Threads: every call that may take long releases the interpreter's lock. Objects are safe to share between
// threads as far as the C++ classes behind them are (docs/cpp.md).
#include "core/parts.hpp"

#include "neurasp/version.hpp"

PYBIND11_MODULE(_core, module) {
    module.doc() = "The C++ core of neurasp. Use the package neurasp instead.";
    module.attr("version") = neurasp::version;
    neurasp::python::add_errors(module);
    neurasp::python::add_limits(module);
    neurasp::python::add_outputs(module);
    neurasp::python::add_questions(module);
    neurasp::python::add_circuits(module);
    neurasp::python::add_training(module);
    neurasp::python::add_learning(module);
    neurasp::python::add_steps(module);
    neurasp::python::add_frames(module);
    neurasp::python::add_reports(module);
}
