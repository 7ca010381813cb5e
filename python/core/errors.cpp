// C++ exceptions as Python's: the classes are those of neurasp/errors.py.
#include "core/parts.hpp"

#include "neurasp/diagnostic.hpp"
#include "protocol/diagnostics.hpp"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

namespace neurasp::python {

namespace {

// Options that diagnostics name, as keyword arguments.
std::string spell(const std::string &option, const std::string &value) {
    if (option == "logits") return "logits=(\"" + value + "\",)";
    if (option == "constants") return "constants={...}";
    if (option == "ground_limit") return "ground_limit=...";
    return option + "=True";
}

py::object error_class(const char *name) {
    return py::module_::import("neurasp.errors").attr(name);
}

void raise(const char *name, const py::object &error) {
    PyErr_SetObject(error_class(name).ptr(), error.ptr());
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError &error) {
        raise("InputError",
              error_class("InputError")(rendered(error.diagnostics()),
                                        protocol::line(protocol::to_json(error.diagnostics()))));
    } catch (const LimitError &error) {
        std::string text = error.what();
        if (!error.hint().empty()) text += "\n  hint: " + error.hint();
        if (!error.option().empty()) text += " (" + spell(error.option(), "") + ")";
        raise("LimitError", error_class("LimitError")(text));
    } catch (const EnvironmentError &error) {
        std::string text = error.what();
        if (!error.hint().empty()) text += "\n  hint: " + error.hint();
        raise("UnavailableError", error_class("UnavailableError")(text));
    } catch (const ContractError &error) {
        raise("UsageError", error_class("UsageError")(error.what()));
    }
}

} // namespace

std::string rendered(const std::vector<Diagnostic> &diagnostics) {
    std::string text;
    for (const Diagnostic &diagnostic : diagnostics) {
        text += render(diagnostic, false, spell);
        if (!text.empty() && text.back() != '\n') text += '\n';
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

void add_errors(py::module_ & /*module*/) { py::register_exception_translator(translate); }

} // namespace neurasp::python
