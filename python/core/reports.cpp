// The page that a training run leaves, the same as the command's.
#include "core/parts.hpp"

#include "protocol/history_json.hpp"
#include "runs/report.hpp"

#include <pybind11/stl.h>

namespace neurasp::python {

void add_reports(py::module_ &module) {
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    using Rules = std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>;
    module.def("report_html",
               [](std::string title, std::string program, const std::string &history,
                  Pairs networks, Rules rules, double seconds, std::string finished) {
                   runs::RunSummary run;
                   run.title = std::move(title);
                   run.experiment_text = std::move(program);
                   run.networks = std::move(networks);
                   run.rules = std::move(rules);
                   run.history = protocol::history_from_json(history);
                   run.seconds = seconds;
                   run.finished = std::move(finished);
                   return runs::report_html(run);
               });
}

} // namespace neurasp::python
