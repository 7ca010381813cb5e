// Stable models as text or JSON, one at a time.
#include "cli/model_output.hpp"

#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace neurasp::cli {

void ModelOutput::add(const StableModel &model) {
    if (session_.options().json()) {
        session_.console().write(list_.model(model));
    } else {
        add_text(model);
    }
    ++count_;
    session_.console().flush(true);
}

void ModelOutput::add_text(const StableModel &model) {
    constexpr std::size_t number_width = 12;
    Console &console = session_.console();
    // On a terminal the models themselves show progress, and must not mix with the line of progress.
    if (console.output_is_terminal()) session_.progress().finish();
    const std::string probability =
        (model.probability.exact ? "" : "<=") + show_value(model.probability);
    std::string line = console.mark(Mark::strong, pad(probability, number_width)) + "  ";
    if (!model.cost.empty()) line += fmt::format("cost {}  ", fmt::join(model.cost, " "));
    line += model.atoms.empty() ? console.mark(Mark::weak, "(no atoms)")
                                : fmt::format("{}", fmt::join(model.atoms, " "));
    console.write(line + "\n");
}

void ModelOutput::end(const ModelsAnswer &answer) { end(answer, protocol::Json::object()); }

void ModelOutput::end(const ModelsAnswer &answer, const protocol::Json &extra) {
    if (session_.options().json()) return end_json(answer, extra);
    Console &console = session_.console();
    if (count_ == 0) {
        if (answer.how.exact) console.write(fmt::format("{}\n", none_));
    } else if (answer.upper_bound && !answer.how.exact) {
        console.write(console.mark(
            Mark::alarm, fmt::format("models that are not listed have probability at most {}\n",
                                     show(*answer.upper_bound))));
    }
}

void ModelOutput::end(const StreamEnd &stream) {
    if (session_.options().json()) return end_json(stream, protocol::Json::object());
    if (count_ > 0) {
        session_.mark_inexact(stream.how,
                              fmt::format("{} seen so far", show_count(count_, "model")));
    } else if (stream.how.exact) {
        session_.console().write(fmt::format("{}\n", none_));
    }
}

template <class End> void ModelOutput::end_json(const End &end, protocol::Json extra) {
    if (session_.options().stats) extra["stats"] = session_.stats(end.how);
    session_.console().write(list_.end(end, extra));
}

} // namespace neurasp::cli
