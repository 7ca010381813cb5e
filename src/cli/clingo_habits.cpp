// Spellings with a counterpart are rewritten before the command line is parsed, so that no command needs to know
// them. The others get a hint after the parser has rejected them.
#include "cli/clingo_habits.hpp"

#include "cli/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace neurasp::cli {

namespace {

struct Hint {
    std::vector<std::string_view> options;
    std::string_view text;
};

const std::vector<Hint> &hints() {
    static const std::vector<Hint> all = {
        {{"-n", "--models"},
         "in clingo it says how many models to list; here `neurasp models` and `neurasp sample` "
         "have -n, and `neurasp map` has -k for the most probable ones"},
        {{"-q", "--quiet"},
         "in clingo it hides models; here -q asks for the probability of a query (`neurasp prob`), "
         "and `neurasp models` has -n"},
        {{"-V", "--verbose"}, "in clingo it reports more about the search; here that is --stats"},
        {{"-s"}, "in clingo it prints statistics; here that is --stats"},
        {{"-W", "--warn"},
         "in clingo it chooses warnings; here they are all written to standard error, and "
         "`#defined p/1.` in the program turns off those about p/1"},
        {{"-e", "--enum-mode"},
         "in clingo it asks for brave or cautious consequences; here `neurasp marginals` shows the "
         "probability of every atom: more than 0 for brave, 1 for cautious consequences"},
        {{"--text", "--mode", "--pre", "--keep-facts", "--reify-sccs"},
         "in clingo it shows the ground program; here that is `neurasp ground`, with --aspif for "
         "clingo's intermediate format"},
        {{"--output"},
         "in clingo it chooses a format of the ground program; here that is `neurasp ground`"},
        {{"--opt-mode", "--opt-bound", "--opt-strategy", "--opt-usc-shrink", "--opt-stop",
          "--opt-heuristic", "--restart-on-model"},
         "in clingo it is about optimisation; here --optimal keeps the models of least cost"},
        {{"--project"},
         "in clingo it joins models that show the same atoms; here `neurasp prob -q` and `neurasp "
         "marginals` add up their probabilities"},
        {{"--seed", "--rand-freq", "--rand-prob", "--sign-def"},
         "in clingo it makes the search random; here `neurasp sample` and `neurasp prob --samples` "
         "draw at random, and have --seed"},
        {{"--solve-limit"},
         "in clingo it limits conflicts; here there are --time-limit and --model-limit"},
        {{"-t", "--parallel-mode"},
         "in clingo it sets the number of threads; here each answer uses one"},
        {{"--configuration", "--heuristic", "--restarts", "--deletion", "--trans-ext", "--eq",
          "--sat-prepro", "--backprop", "--share", "--dom-mod", "--tester", "--learn-explicit",
          "--strengthen", "--lookahead", "--init-moms", "--save-progress", "--nant",
          "--vsids-decay"},
         "in clingo it tunes the search; here --engine chooses how the answer is computed"},
        {{"--outf", "--out-atomf", "--out-ifs", "--out-hide-aux"},
         "in clingo it shapes the output; here that is --format text or --format json"},
    };
    return all;
}

// "--outf=2" is one word, "--outf 2" are two.
struct ClingoSpelling {
    std::string name;
    std::optional<std::string> value;
    std::size_t words = 1;
};

ClingoSpelling spelling_at(const std::vector<std::string> &arguments, std::size_t i) {
    const std::string &word = arguments[i];
    if (const auto equals = word.find('='); equals != std::string::npos) {
        return {word.substr(0, equals), word.substr(equals + 1), 1};
    }
    if (i + 1 < arguments.size()) return {word, arguments[i + 1], 2};
    return {word, std::nullopt, 1};
}

std::vector<std::string> output_format(const std::string &value) {
    if (value == "0") return {"--format=text"};
    if (value == "2") return {"--format=json"};
    throw UsageError(fmt::format("--outf={}: there is no such format here", value),
                     "--outf=0 is --format text, --outf=2 is --format json");
}

std::vector<std::string> optimisation(const std::string &value) {
    if (value == "optN") return {"--optimal"};
    if (value == "ignore") return {};
    throw UsageError(
        fmt::format("--opt-mode={}: there is no such mode here", value),
        "--opt-mode=optN is --optimal, the models of least cost; --opt-mode=ignore is the default");
}

} // namespace

std::vector<std::string> in_our_words(const std::vector<std::string> &arguments) {
    const bool lists_models = !arguments.empty() && arguments.front() == "models";
    std::vector<std::string> result;
    const auto append = [&](const std::vector<std::string> &words) {
        result.insert(result.end(), words.begin(), words.end());
    };
    for (std::size_t i = 0; i < arguments.size();) {
        const ClingoSpelling spelling = spelling_at(arguments, i);
        const std::string &word = arguments[i];
        if (word == "-V0" || word == "--verbose=0") {
            ++i; // only the answer is written anyway
        } else if (spelling.name == "--outf" && spelling.value) {
            append(output_format(*spelling.value));
            i += spelling.words;
        } else if (spelling.name == "--opt-mode" && spelling.value) {
            append(optimisation(*spelling.value));
            i += spelling.words;
        } else if (spelling.name == "--models" && spelling.value && lists_models) {
            append({"--count=" + *spelling.value});
            i += spelling.words;
        } else {
            result.push_back(word);
            ++i;
        }
    }
    return result;
}

std::string clingo_hint(std::string_view option) {
    constexpr std::size_t letter = 2; // "-t4" is -t with its value
    const std::string_view name =
        option.starts_with("--") ? option.substr(0, option.find('=')) : option.substr(0, letter);
    for (const Hint &hint : hints()) {
        if (std::find(hint.options.begin(), hint.options.end(), name) != hint.options.end()) {
            return std::string(hint.text);
        }
    }
    return {};
}

bool is_number_of_models(std::string_view word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::uint64_t> take_number_of_models(std::vector<std::string> &files,
                                                   std::optional<std::uint64_t> count) {
    std::optional<std::uint64_t> number;
    for (const std::string &file : files) {
        if (!is_number_of_models(file)) continue;
        if (number) throw UsageError("the number of models is given twice among the files");
        const auto read = std::from_chars(file.data(), file.data() + file.size(), number.emplace());
        if (read.ec != std::errc())
            throw UsageError(fmt::format("'{}' is too large a number of models", file));
    }
    if (number && count && *number != *count) {
        throw UsageError(
            fmt::format("-n {} and '{}' among the files disagree: both say how many models to list",
                        *count, *number),
            "leave one of them out");
    }
    std::erase_if(files, [](const std::string &file) { return is_number_of_models(file); });
    if (files.empty() && number) {
        throw UsageError(
            fmt::format("'{}' is the number of models, and no program is named", *number),
            "name a file; - is standard input");
    }
    return number ? number : count;
}

} // namespace neurasp::cli
