// The tables of the report: epochs, learned rules, networks, and the experiment's settings.
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace neurasp::runs::report {

namespace {

using Json = nlohmann::ordered_json;

std::string cell(std::string_view text) { return fmt::format("<td>{}</td>", escape(text)); }

std::string heading_cell(std::string_view text) {
    return fmt::format("<th scope=\"col\">{}</th>", escape(text));
}

std::string epoch_headings(const std::vector<MetricColumn> &metrics) {
    std::string row;
    for (const char *name : {"epoch", "batches", "examples", "loss", "mean log P(O)", "P(O) = 0"}) {
        row += heading_cell(name);
    }
    for (const MetricColumn &column : metrics) {
        row += heading_cell(fmt::format("{}, {}", column.name, column.split));
    }
    for (const char *name :
         {"examples/s", "network", "symbolic", "of that compiling", "data", "learning rate"}) {
        row += heading_cell(name);
    }
    return row;
}

std::string learning_rates(const EpochRecord &epoch) {
    std::string text;
    for (const auto &[network, rate] : epoch.learning_rates) {
        if (!text.empty()) text += ", ";
        if (epoch.learning_rates.size() > 1) text += network + " ";
        text += number_text(rate);
    }
    return text.empty() ? std::string(dash) : text;
}

std::string epoch_row(const EpochRecord &epoch, const std::vector<MetricColumn> &metrics) {
    std::string row = cell(count_text(epoch.epoch)) + cell(count_text(epoch.batches)) +
                      cell(count_text(epoch.examples)) + cell(number_text(epoch.loss)) +
                      cell(number_text(epoch.mean_log_probability)) +
                      cell(count_text(epoch.impossible));
    for (const MetricColumn &column : metrics) {
        const double value = metric_value(epoch, column).value_or(std::nan(""));
        row += cell(column.is_share ? share_text(value) : number_text(value));
    }
    return row + cell(number_text(examples_per_second(epoch))) +
           cell(seconds_text(epoch.seconds.network)) + cell(seconds_text(epoch.seconds.symbolic)) +
           cell(seconds_text(epoch.seconds.compile)) + cell(seconds_text(epoch.seconds.data)) +
           cell(learning_rates(epoch));
}

// Empty if the bar has no length.
std::string probability_bar(double probability) {
    const double share = std::isfinite(probability) ? std::clamp(probability, 0.0, 1.0) : 0.0;
    return fmt::format("<td class=\"bar\"><span style=\"width:{:.1f}%\"></span></td>", 100 * share);
}

// A scalar, or an array of scalars, as one text.
bool is_flat(const Json &json) {
    if (!json.is_structured()) return true;
    return json.is_array() && std::none_of(json.begin(), json.end(),
                                           [](const Json &item) { return item.is_structured(); });
}

std::string flat_text(const Json &json) {
    if (json.is_string()) return json.get<std::string>();
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Rows of dotted keys and values.
void add_settings(const std::string &key, const Json &json, std::string &rows) {
    if (is_flat(json)) {
        rows += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", escape(key),
                            cell(flat_text(json)));
        return;
    }
    std::size_t index = 0;
    for (const auto &[name, value] : json.items()) {
        const std::string step = json.is_array() ? fmt::format("[{}]", index++)
                                 : key.empty()   ? name
                                                 : "." + name;
        add_settings(key + step, value, rows);
    }
}

std::string configuration(const std::string &text) {
    if (text.empty()) return "";
    const Json json = Json::parse(text, nullptr, false);
    std::string content = "<pre><code>" + escape(text) + "</code></pre>";
    if (json.is_object()) {
        std::string rows;
        add_settings("", json, rows);
        content = "<div class=\"scroll\"><table class=\"settings\"><tbody>\n" + rows +
                  "</tbody></table></div>";
    }
    return "<details class=\"card\"><summary>Configuration, defaults included</summary>\n" +
           content + "</details>\n";
}

} // namespace

std::string section(std::string_view heading, const std::string &content) {
    if (content.empty()) return "";
    return fmt::format("<section>\n<h2>{}</h2>\n{}\n</section>\n", escape(heading), content);
}

std::string epochs_section(const History &history) {
    if (history.epochs.empty()) return "";
    const std::vector<MetricColumn> metrics = metric_columns(history);
    std::string rows;
    for (const EpochRecord &epoch : history.epochs) {
        rows += "<tr>" + epoch_row(epoch, metrics) + "</tr>\n";
    }
    return section(
        "Epochs", "<div class=\"card scroll\" tabindex=\"0\"><table class=\"numbers\"><thead><tr>" +
                      epoch_headings(metrics) + "</tr></thead>\n<tbody>\n" + rows +
                      "</tbody></table></div>");
}

std::string rules_section(const RunSummary &run) {
    std::string content;
    for (const auto &[rule, outcomes] : run.rules) {
        std::string rows;
        for (const auto &[outcome, probability] : outcomes) {
            rows += fmt::format("<tr><th scope=\"row\"><code>{}</code></th>{}{}</tr>\n",
                                escape(outcome), cell(number_text(probability)),
                                probability_bar(probability));
        }
        content += fmt::format("<div class=\"card rule\"><p><code>{}</code></p>\n<table><tbody>\n{}"
                               "</tbody></table></div>\n",
                               escape(rule), rows);
    }
    return section("Learned rule probabilities",
                   content.empty() ? "" : "<div class=\"rules\">\n" + content + "</div>");
}

std::string networks_section(const RunSummary &run) {
    std::string content;
    for (const auto &[name, description] : run.networks) {
        content += fmt::format("<div class=\"card\"><h3>{}</h3><pre><code>{}</code></pre></div>\n",
                               escape(name), escape(description));
    }
    return section("Networks", content);
}

std::string experiment_section(const RunSummary &run) {
    std::string text;
    if (!run.experiment_text.empty()) {
        text = "<details class=\"card\"><summary>Experiment file</summary>\n<pre><code>" +
               escape(run.experiment_text) + "</code></pre></details>\n";
    }
    return section("Experiment", configuration(run.configuration_json) + text);
}

} // namespace neurasp::runs::report
