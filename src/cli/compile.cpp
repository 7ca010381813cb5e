// `neurasp compile`: the question as a circuit, in a file for other tools or as a drawing.
#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/circuits.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace neurasp::cli {

namespace {

struct CompileArguments : Options {
    std::string output;
    std::string as; // empty: by the name of the file
    std::string drawing;
    bool smooth = false;
    std::uint64_t node_limit = 10'000'000;
};

using protocol::CircuitFile;

std::string format_by_name(std::string_view path) {
    if (path.ends_with(".nnf")) return "nnf";
    if (path.ends_with(".dot") || path.ends_with(".gv")) return "dot";
    return "circuit";
}

constexpr auto standard_output = "-";

void check_standard_output(const CompileArguments &options) {
    const bool output = options.output == standard_output;
    const bool drawing = options.drawing == standard_output;
    if (output && drawing) {
        throw UsageError("--output and --dot cannot both write to standard output (-)",
                         "give one of them a file");
    }
    if ((output || drawing) && options.json()) {
        throw UsageError("--format json writes to standard output, where the circuit would go",
                         "give the circuit a file");
    }
}

std::vector<CircuitFile> output_files(const CompileArguments &options) {
    check_standard_output(options);
    if (options.output.find(":-") != std::string::npos || options.output.ends_with(").")) {
        throw UsageError(fmt::format("-o names the file to write, found '{}'", options.output),
                         "give an observation with --observe");
    }
    if (!options.as.empty() && options.output.empty()) {
        throw UsageError("--as needs a file to write", "name one with --output");
    }
    std::vector<CircuitFile> files;
    if (!options.output.empty()) {
        files.push_back(
            {options.output, options.as.empty() ? format_by_name(options.output) : options.as});
    }
    if (!options.drawing.empty()) files.push_back({options.drawing, "dot"});
    return files;
}

// The weights of the circuit; none if the program calls networks and their outputs were not given.
std::optional<std::vector<double>> known_weights(const Session &session,
                                                 const CompiledQuestion &circuit) {
    const auto variables = session.question().variables();
    const bool calls_networks =
        std::any_of(variables.begin(), variables.end(), [](const RandomVariableInfo &variable) {
            return !variable.source.network.empty();
        });
    if (calls_networks && session.options().output_files.empty()) return std::nullopt;
    return circuit.weights(session.outputs());
}

void warn_of_large_drawing(Session &session, const CompiledQuestion &circuit) {
    constexpr std::size_t readable = 200;
    const std::size_t nodes = circuit.view().node_count();
    if (nodes <= readable) return;
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "large-drawing";
    warning.message =
        fmt::format("the drawing has {} nodes; drawings of more than about {} are hard to read",
                    nodes, readable);
    warning.hint = "observe less, or draw a smaller instance of the program";
    report_warnings(session.console(), session.options().json(), {&warning, 1});
}

void write(Session &session, const CircuitFile &file, const CompiledQuestion &circuit,
           const std::optional<std::vector<double>> &weights) {
    const bool draws = file.format == "dot";
    if (draws) warn_of_large_drawing(session, circuit);
    const std::string text = file.format == "nnf" ? circuit.to_nnf()
                             : draws && weights   ? circuit.to_dot(*weights)
                             : draws              ? circuit.to_dot()
                                                  : circuit.to_text();
    if (file.path != standard_output) return base::write_file(file.path, text);
    session.console().write(text);
    session.console().flush();
}

CompileSettings compile_settings(const CompileArguments &options) {
    CompileSettings result;
    result.optimal = options.optimal;
    result.smooth = options.smooth;
    result.circuit_folder = options.circuit_cache;
    return result;
}

std::string as_text(const CompiledQuestion &circuit, const CompileArguments &options,
                    const std::vector<CircuitFile> &files,
                    const std::optional<Probability> &probability) {
    const CircuitStatistics &stats = circuit.statistics();
    const std::string state = options.smooth ? " (before smoothing)" : "";
    std::vector<Row> rows = {{"random variables", fmt::to_string(circuit.variables().size())},
                             {"nodes", fmt::format("{}{}", stats.nodes, state)},
                             {"edges", fmt::format("{}{}", stats.edges, state)}};
    if (const auto count = circuit.choice_count()) {
        rows.push_back(
            {"satisfied by", fmt::format("{} total choice{}", *count, *count == "1" ? "" : "s")});
    }
    if (probability) rows.push_back({"probability", show(*probability)});
    for (const CircuitFile &file : files) {
        const std::string where = file.path == standard_output ? "standard output" : file.path;
        rows.push_back({"written", fmt::format("{} ({})", where, file.format)});
    }
    return align(rows);
}

std::string stats_text(const CircuitStatistics &stats, const protocol::Times &times) {
    return align({{"ground rules", fmt::to_string(stats.ground_rules)},
                  {"theory variables", fmt::to_string(stats.variables)},
                  {"clauses", fmt::to_string(stats.clauses)},
                  {"recursive atoms", fmt::to_string(stats.recursive_atoms)},
                  {"decisions", fmt::to_string(stats.decisions)},
                  {"conflicts", fmt::to_string(stats.conflicts)},
                  {"cache hits", fmt::format("{} of {}", stats.cache_hits, stats.cache_lookups)},
                  {"reused", stats.reused ? "yes" : "no"},
                  {"reading", show_seconds(times.reading)},
                  {"grounding", show_seconds(times.grounding)},
                  {"translation", show_seconds(stats.seconds_translate)},
                  {"order", show_seconds(stats.seconds_order)},
                  {"search", show_seconds(stats.seconds_search)}});
}

// Advice for the limit that ended the compilation, or for a program that has no circuit.
std::string_view advice(std::string_view note) {
    if (note.starts_with("node limit")) return "try a greater --node-limit";
    if (note.starts_with("memory limit")) return "try a greater --memory-limit";
    if (note.starts_with("time limit")) return "try a greater --time-limit";
    return "the other commands can answer without a circuit: --engine enumerate";
}

ExitCode report_no_circuit(Session &session, const std::string &note) {
    const bool json = session.options().json();
    if (stop_requested()) {
        report_message(session.console(), json, ExitCode::interrupted, "no circuit: interrupted");
        return ExitCode::interrupted;
    }
    report_message(session.console(), json, ExitCode::no_answer,
                   fmt::format("no circuit: {}", note), advice(note));
    return ExitCode::no_answer;
}

ExitCode run(const CompileArguments &options) {
    const std::vector<CircuitFile> files = output_files(options);
    Session session(options);
    session.prepare();
    const Compilation compilation = session.answer([&] {
        Limits limits = session.limits();
        limits.nodes = options.node_limit;
        return session.question().compile(compile_settings(options), limits);
    });
    if (!compilation.circuit) return report_no_circuit(session, compilation.note);
    const CompiledQuestion &circuit = *compilation.circuit;
    const auto weights = known_weights(session, circuit);
    const auto probability =
        weights ? std::optional(circuit.probability(*weights)) : std::optional<Probability>();
    for (const CircuitFile &file : files) write(session, file, circuit, weights);
    if (options.json()) {
        protocol::Json object = protocol::to_json(circuit, options.smooth, files, probability);
        if (options.stats)
            object["stats"] = protocol::circuit_stats_json(circuit.statistics(), session.times());
        session.console().write(protocol::document(object));
    } else {
        const std::string summary = as_text(circuit, options, files, probability);
        const bool aside = options.output == standard_output || options.drawing == standard_output;
        if (aside)
            session.console().complain(summary);
        else
            session.console().write(summary + "\n");
        if (options.stats) {
            session.console().complain(stats_text(circuit.statistics(), session.times()));
        }
    }
    session.console().flush();
    return ExitCode::fine;
}

Action declare_compile(CLI::App &command) {
    auto options = std::make_shared<CompileArguments>();
    add_program_options(command, *options);
    add_observation_options(command, *options, "--observe"); // -o names the output here
    add_probs_options(command, *options);                    // for drawings with probabilities
    add_file_option(
        command, "-o,--output", options->output,
        "write the circuit to this file: as nnf if the name ends in .nnf, as a drawing for "
        "Graphviz if it ends in .dot, otherwise in our own format; - is standard output");
    add_choice(command, "--as", options->as, {"nnf", "circuit", "dot"},
               "the format of the output file, whatever its name");
    add_file_option(command, "--dot", options->drawing,
                    "write a drawing for Graphviz as well; - is standard output");
    add_flag(command, "--smooth", options->smooth,
             "write a circuit in which every branch mentions the same variables");
    add_optimal_and_time_options(command, *options);
    add_count(command, "--node-limit", options->node_limit, "N",
              "stop when the circuit has more nodes than this (10000000)", 1);
    add_memory_limit(command, *options,
                     "stop when nodes and cached components take more memory than this (2000)");
    add_cache_option(command, *options);
    add_display_options(command, *options);
    add_stats_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto compile_examples = R"(Examples:
  neurasp compile addition.lp --observe ':- not sum(3).' --stats
  neurasp compile addition.lp --observe ':- not sum(3).' -o sum.nnf
  neurasp compile links.lp --observe ':- not reach(b).' --dot reach.dot
  neurasp compile addition.lp -p addition.json --observe ':- not sum(3).' --dot - > sum.dot)";

} // namespace

Command compile_command() {
    return {"compile", "The observation as a circuit: its size, and files for other tools",
            compile_examples, declare_compile};
}

} // namespace neurasp::cli
