// Puts the sections of the report together.
#include "runs/report.hpp"

#include "runs/report_sections.hpp"

namespace neurasp::runs {

std::string report_html(const RunSummary &run) {
    using namespace report;
    return page(run.title, results_section(run) + curves_section(run.history) +
                               confusions_section(run.history) +
                               predictions_section(run.predictions) + rules_section(run) +
                               epochs_section(run.history) + networks_section(run) +
                               experiment_section(run));
}

} // namespace neurasp::runs
