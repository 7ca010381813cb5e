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

#include <memory>

namespace neurasp::cli {

namespace {

struct CompileArguments : Options {
    std::string output;
    std::string as; // empty: by the name of the file
    std::string drawing;
    bool smooth = false;
    std::uint64_t node_limit = 2'000'000;
};

using protocol::CircuitFile;

std::string format_by_name(std::string_view path) {
    if (path.ends_with(".nnf")) return "nnf";
    if (path.ends_with(".dot") || path.ends_with(".gv")) return "dot";
    return "circuit";
}

std::vector<CircuitFile> output_files(const CompileArguments &options) {
    if (options.output.find(":-") != std::string::npos || options.output.ends_with(").")) {
        throw UsageError(fmt::format("-o names the file to write here, found '{}'", options.output),
                         "write an observation with --observe");
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

void write(const CircuitFile &file, const CompiledQuestion &circuit) {
    const std::string text = file.format == "nnf"   ? circuit.to_nnf()
                             : file.format == "dot" ? circuit.to_dot()
                                                    : circuit.to_text();
    base::write_file(file.path, text);
}

CompileSettings compile_settings(const CompileArguments &options) {
    CompileSettings result;
    result.optimal = options.optimal;
    result.smooth = options.smooth;
    result.circuit_folder = options.circuit_cache;
    return result;
}

std::string as_text(const CompiledQuestion &circuit, const CompileArguments &options,
                    const std::vector<CircuitFile> &files) {
    const CircuitStatistics &stats = circuit.statistics();
    const std::string state = options.smooth ? " (before smoothing)" : "";
    std::vector<Row> rows = {{"random variables", fmt::to_string(circuit.variables().size())},
                             {"nodes", fmt::format("{}{}", stats.nodes, state)},
                             {"edges", fmt::format("{}{}", stats.edges, state)}};
    if (const auto count = circuit.choice_count()) {
        rows.push_back(
            {"satisfied by", fmt::format("{} total choice{}", *count, *count == "1" ? "" : "s")});
    }
    for (const CircuitFile &file : files) {
        rows.push_back({"written", fmt::format("{} ({})", file.path, file.format)});
    }
    return align(rows) + "\n";
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

// What may help, by the limit that ended the compilation; nothing for programs that no limit keeps out.
std::string_view advice(std::string_view note) {
    if (note.starts_with("node limit")) return "try a greater --node-limit";
    if (note.starts_with("memory limit")) return "try a greater --memory-limit";
    if (note.starts_with("time limit")) return "try a greater --time-limit";
    return "the other commands answer without a circuit: --engine enumerate";
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
    for (const CircuitFile &file : files) write(file, circuit);
    if (options.json()) {
        protocol::Json object = protocol::to_json(circuit, options.smooth, files);
        if (options.stats)
            object["stats"] = protocol::circuit_stats_json(circuit.statistics(), session.times());
        session.console().write(protocol::document(object));
    } else {
        session.console().write(as_text(circuit, options, files));
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
    add_file_option(command, "-o,--output", options->output,
                    "write the circuit to this file: nnf text if it ends in .nnf, a drawing for "
                    "Graphviz if in .dot, else in our own format");
    add_choice(command, "--as", options->as, {"nnf", "circuit", "dot"},
               "the format of that file, whatever its name");
    add_file_option(command, "--dot", options->drawing, "write a drawing for Graphviz as well");
    add_flag(command, "--smooth", options->smooth,
             "write a circuit in which every branch mentions the same variables");
    add_optimal_and_time_options(command, *options);
    add_count(command, "--node-limit", options->node_limit, "N",
              "stop when the circuit has more nodes (2000000)", 1);
    add_memory_limit(command, *options,
                     "stop when nodes and cached components take more memory (2000)");
    add_cache_option(command, *options);
    add_display_options(command, *options);
    add_stats_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto compile_examples = R"(Examples:
  neurasp compile addition.lp --observe ':- not sum(3).' --stats
  neurasp compile addition.lp --observe ':- not sum(3).' -o sum.nnf
  neurasp compile links.lp --observe ':- not reach(b).' --dot reach.dot)";

} // namespace

Command compile_command() {
    return {"compile", "The observation as a circuit: its size, and files for other tools",
            compile_examples, declare_compile};
}

} // namespace neurasp::cli
