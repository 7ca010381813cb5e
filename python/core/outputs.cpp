// Network outputs and other numbers that questions need.
#include "core/parts.hpp"

#include "neurasp/network_outputs.hpp"

#include <pybind11/stl.h>

namespace neurasp::python {

void add_outputs(py::module_ &module) {
    py::class_<NetworkOutputs>(module, "Outputs")
        .def(py::init<>())
        .def("set",
             [](NetworkOutputs &outputs, std::string network, std::string terms,
                std::vector<double> values) {
                 outputs.set(std::move(network), std::move(terms), std::move(values));
             })
        .def("declare_logits", [](NetworkOutputs &outputs,
                                  const std::string &network) { outputs.declare_logits(network); })
        .def("set_rule",
             [](NetworkOutputs &outputs, std::size_t rule, std::vector<double> probabilities) {
                 outputs.set_rule(rule, std::move(probabilities));
             });
}

} // namespace neurasp::python
