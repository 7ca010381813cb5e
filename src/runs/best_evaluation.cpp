// Keeps the record of the best evaluation up to date.
#include "runs/best_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::runs {

bool note_evaluation(History &history, const std::string &metric, const Evaluation &evaluation,
                     EvaluationTime time) {
    if (history.best && history.best->judged >= time.batch) return false;
    const auto found = std::find_if(evaluation.metrics.begin(), evaluation.metrics.end(),
                                    [&](const Metric &one) { return one.name == metric; });
    const bool is_measured = found != evaluation.metrics.end() && std::isfinite(found->value);
    const bool is_better = is_measured && (!history.best || history.best->batch == 0 ||
                                           found->value > history.best->value);
    if (!history.best) history.best.emplace();
    BestEvaluation &best = *history.best;
    best.judged = time.batch;
    ++best.since;
    if (is_better)
        best = {metric, found->value, found->is_share, time.batch, time.epoch, 0, time.batch};
    return is_better;
}

bool is_patience_exhausted(const History &history, std::size_t patience) {
    return patience > 0 && history.best && history.best->since >= patience;
}

std::string epoch_name(double epoch) { return fmt::format("epoch {:.4g}", epoch); }

} // namespace neurasp::runs
