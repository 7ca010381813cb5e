// Numbers have as many digits as it takes to read the same number again.
#include "runs/epochs_csv.hpp"

#include "runs/report_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace neurasp::runs {

namespace {

std::string quoted(const std::string &text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

std::string number_cell(std::optional<double> number) {
    return number && std::isfinite(*number) ? fmt::format("{}", *number) : std::string();
}

std::string as_line(const std::vector<std::string> &cells) {
    std::string line;
    for (const std::string &cell : cells) {
        if (&cell != &cells.front()) line += ',';
        line += quoted(cell);
    }
    return line + "\n";
}

std::vector<std::string> networks_of(const History &history) {
    std::vector<std::string> names;
    for (const EpochRecord &epoch : history.epochs) {
        for (const auto &[name, rate] : epoch.learning_rates) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    return names;
}

std::optional<double> rate_of(const EpochRecord &epoch, const std::string &network) {
    for (const auto &[name, rate] : epoch.learning_rates) {
        if (name == network) return rate;
    }
    return std::nullopt;
}

} // namespace

std::string epochs_csv(const History &history) {
    const std::vector<report::MetricColumn> metrics = report::metric_columns(history);
    const std::vector<std::string> networks = networks_of(history);
    std::vector<std::string> header = {"epoch", "batches",       "examples",
                                       "loss",  "mean log P(O)", "impossible"};
    for (const auto &column : metrics) header.push_back(column.split + ": " + column.name);
    for (const std::string &name : networks) header.push_back("learning rate of " + name);
    header.insert(header.end(), {"seconds", "seconds network", "seconds symbolic",
                                 "seconds compile", "seconds data"});
    std::string text = as_line(header);
    for (const EpochRecord &epoch : history.epochs) {
        std::vector<std::string> cells = {std::to_string(epoch.epoch),
                                          std::to_string(epoch.batches),
                                          std::to_string(epoch.examples),
                                          number_cell(epoch.loss),
                                          number_cell(epoch.mean_log_probability),
                                          std::to_string(epoch.impossible)};
        for (const auto &column : metrics) {
            cells.push_back(number_cell(report::metric_value(epoch, column)));
        }
        for (const std::string &name : networks) cells.push_back(number_cell(rate_of(epoch, name)));
        const PhaseSeconds &seconds = epoch.seconds;
        for (const double number :
             {seconds.total(), seconds.network, seconds.symbolic, seconds.compile, seconds.data}) {
            cells.push_back(number_cell(number));
        }
        text += as_line(cells);
    }
    return text;
}

} // namespace neurasp::runs
