// Reads `.test` files into steps.
#include "case_file.hpp"

#include "expression.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace neurasp::conformance {

namespace {

struct Section {
    std::string name;
    std::vector<std::string> arguments;
    std::size_t line = 0;
    std::string text; // verbatim
    std::vector<Line> lines;
};

const std::map<std::string, StepKind> &question_kinds() {
    static const std::map<std::string, StepKind> kinds = {
        {"prob", StepKind::prob},         {"models", StepKind::models},
        {"map", StepKind::map},           {"marginals", StepKind::marginals},
        {"gradient", StepKind::gradient}, {"coherence", StepKind::coherence},
        {"argmax", StepKind::argmax},     {"sample", StepKind::sample},
        {"summary", StepKind::summary},   {"error", StepKind::error},
        {"warning", StepKind::warning},
    };
    return kinds;
}

class CaseReader {
  public:
    explicit CaseReader(const std::filesystem::path &path) { result_.path = path.string(); }

    Case read() {
        split_sections();
        for (const Section &section : sections_) take(section);
        if (result_.program.empty()) fail(1, "no 'program' section");
        if (result_.steps.empty()) fail(1, "no question, so nothing is tested");
        return std::move(result_);
    }

  private:
    [[noreturn]] void fail(std::size_t line, const std::string &what) const {
        throw CaseError(result_.path + ":" + std::to_string(line) + ": " + what);
    }

    void split_sections() {
        std::ifstream file(result_.path, std::ios::binary);
        if (!file) throw CaseError(result_.path + ":1: cannot be read");
        std::string line;
        for (std::size_t number = 1; std::getline(file, line); ++number) {
            if (line.starts_with("--- "))
                open_section(number, line.substr(4));
            else if (sections_.empty())
                take_description(number, line);
            else
                add_line(number, line);
        }
        if (result_.description.find("Source:") == std::string::npos)
            fail(1, "the description must name its source ('Source: ...')");
    }

    void open_section(std::size_t number, const std::string &heading) {
        std::vector<std::string> words = split_words(heading);
        if (words.empty()) fail(number, "a section needs a name");
        Section section;
        section.name = words.front();
        section.line = number;
        section.arguments.assign(words.begin() + 1, words.end());
        sections_.push_back(std::move(section));
    }

    void take_description(std::size_t number, const std::string &line) {
        const std::string text = trimmed(line);
        if (!text.empty() && text.front() != '%')
            fail(number, "only '%' lines are allowed before the first section");
        result_.description += text + "\n";
    }

    void add_line(std::size_t number, const std::string &line) {
        Section &section = sections_.back();
        section.text += line + "\n";
        std::string text = trimmed(line);
        if (!text.empty() && text.front() != '%')
            section.lines.push_back({number, std::move(text)});
    }

    void take(const Section &section) {
        if (section.name == "program")
            take_program(section);
        else if (section.name == "observe")
            take_observation(section);
        else if (section.name == "outputs")
            take_json(section);
        else if (section.name == "rows")
            take_rows(section);
        else if (section.name == "options")
            take_options(section);
        else
            take_question(section);
        after_question_ = question_kinds().contains(section.name);
    }

    void take_program(const Section &section) {
        if (!result_.steps.empty())
            fail(section.line, "the program must come before the first question");
        const std::string name = section.arguments.empty() ? "program" : section.arguments.front();
        result_.program.push_back({name, section.text});
    }

    void take_observation(const Section &section) {
        if (observation_used_) current_.observation.clear();
        observation_used_ = false;
        const std::string name = section.arguments.empty() ? "observe" : section.arguments.front();
        current_.observation.push_back({section.text, {}, name});
    }

    void take_json(const Section &section) {
        forbid_arguments(section);
        current_.outputs.json = section.text;
        current_.outputs.rows.clear();
        last_rows_ = nullptr;
    }

    // `network terms : [N x] value value ...`; a first word `+` continues the entry before it.
    void take_rows(const Section &section) {
        forbid_arguments(section);
        if (section.lines.empty()) fail(section.line, "no rows");
        current_.outputs.rows.clear();
        last_rows_ = nullptr;
        for (const Line &line : section.lines) take_row(line);
    }

    void take_row(const Line &line) {
        const std::size_t colon = line.text.find(" : ");
        if (colon == std::string::npos) fail(line.number, "'network terms : values' is expected");
        const std::vector<std::string> key = split_words(line.text.substr(0, colon));
        if (key.size() == 2)
            last_rows_ = &current_.outputs.rows[{key[0], key[1]}];
        else if (key.size() != 1 || key[0] != "+" || last_rows_ == nullptr)
            fail(line.number, "a network and its terms are expected before ' : '");
        std::vector<std::string> words = split_words(line.text.substr(colon + 3));
        std::size_t repeat = 1;
        if (words.size() > 2 && words[1] == "x") {
            repeat = static_cast<std::size_t>(number(words[0], line));
            words.erase(words.begin(), words.begin() + 2);
        }
        if (words.empty()) fail(line.number, "no values");
        for (std::size_t i = 0; i < repeat; ++i)
            for (const std::string &word : words)
                last_rows_->push_back(static_cast<double>(number(word, line)));
    }

    long double number(const std::string &text, const Line &line) const {
        try {
            return evaluate(text);
        } catch (const ExpressionError &error) {
            fail(line.number, error.what());
        }
    }

    void take_options(const Section &section) {
        forbid_arguments(section);
        current_.optimal = false;
        current_.all_atoms = false;
        current_.outputs.logits.clear();
        for (const Line &line : section.lines) take_option(line);
    }

    void take_option(const Line &line) {
        const std::vector<std::string> words = split_words(line.text);
        if (words.size() == 1 && words[0] == "optimal") {
            current_.optimal = true;
        } else if (words.size() == 1 && words[0] == "all-atoms") {
            current_.all_atoms = true;
        } else if (words.size() == 2 && words[0] == "logits") {
            current_.outputs.logits.push_back(words[1]);
        } else if (words.size() == 1 && words[0] == "allow-script") {
            forbid_late(line);
            result_.options.allow_script = true;
        } else if (words.size() == 1 && words[0] == "allow-include") {
            forbid_late(line);
            result_.options.allow_include = true;
        } else if (words.size() == 2 && words[0] == "-c") {
            forbid_late(line);
            const std::size_t equals = words[1].find('=');
            if (equals == std::string::npos) fail(line.number, "'-c name=value' is expected");
            result_.options.constants.emplace_back(words[1].substr(0, equals),
                                                   words[1].substr(equals + 1));
        } else {
            fail(line.number, "unknown option '" + line.text + "'");
        }
    }

    void forbid_late(const Line &line) const {
        if (!result_.steps.empty())
            fail(line.number, "this option concerns reading; it must come before any question");
    }

    void forbid_arguments(const Section &section) const {
        if (!section.arguments.empty())
            fail(section.line, "section '" + section.name + "' takes no arguments");
    }

    void take_question(const Section &section) {
        observation_used_ = true;
        const auto kind = question_kinds().find(section.name);
        if (kind == question_kinds().end())
            fail(section.line, "unknown section '" + section.name + "'");
        if (section.lines.empty())
            fail(section.line,
                 "section '" + section.name + "' expects nothing, so it tests nothing");
        const bool diagnostic =
            kind->second == StepKind::error || kind->second == StepKind::warning;
        if (diagnostic && after_question_ && result_.steps.back().kind == kind->second) {
            result_.steps.back().more_bodies.push_back(section.lines);
            return;
        }
        Step step = current_;
        step.kind = kind->second;
        step.line = section.line;
        step.arguments = section.arguments;
        step.body = section.lines;
        result_.steps.push_back(std::move(step));
    }

    Case result_;
    std::vector<Section> sections_;
    Step current_;
    bool after_question_ = false;
    bool observation_used_ = false; // by a question: the next 'observe' starts a new observation
    std::vector<double> *last_rows_ = nullptr;
};

} // namespace

Case read_case(const std::filesystem::path &path) { return CaseReader(path).read(); }

std::string trimmed(std::string_view text) {
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return std::string(text);
}

std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
        if (!quoted && std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
        } else {
            word.push_back(c);
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

Number parse_number(std::string_view text, const std::string &where) {
    try {
        Number result;
        const std::size_t tolerance = text.find("+-");
        if (tolerance != std::string_view::npos)
            result.tolerance = evaluate(text.substr(tolerance + 2));
        result.value = evaluate(text.substr(0, tolerance));
        return result;
    } catch (const ExpressionError &error) {
        throw CaseError(where + ": " + error.what());
    }
}

std::vector<Number> parse_numbers(std::string_view text, const std::string &where) {
    std::vector<Number> result;
    std::stringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, ';');)
        result.push_back(parse_number(part, where));
    return result;
}

std::pair<std::string, std::string> split_equation(const Line &line, const std::string &where) {
    const std::size_t equals = line.text.rfind(" = ");
    if (equals == std::string::npos || equals == 0)
        throw CaseError(where + ": 'something = value' is expected, found '" + line.text + "'");
    return {trimmed(line.text.substr(0, equals)), trimmed(line.text.substr(equals + 3))};
}

// `[has] [log] number ['[' cost ']'] : atoms`
ExpectedModel parse_model(const Line &line, const std::string &where) {
    std::string text = line.text + " ";
    const std::size_t colon = text.find(" : ");
    if (colon == std::string::npos)
        throw CaseError(where + ": 'number : atoms' is expected, found '" + line.text + "'");
    ExpectedModel model;
    model.line = line.number;
    model.atoms = split_words(text.substr(colon + 3));
    std::sort(model.atoms.begin(), model.atoms.end());
    std::string head = trimmed(text.substr(0, colon));
    const auto take_prefix = [&head](const std::string &prefix) {
        if (!head.starts_with(prefix)) return false;
        head = trimmed(head.substr(prefix.size()));
        return true;
    };
    model.subset = take_prefix("has ");
    model.log = take_prefix("log ");
    if (const std::size_t open = head.find('['); open != std::string::npos) {
        const std::size_t close = head.find(']', open);
        if (close == std::string::npos) throw CaseError(where + ": missing ']'");
        model.cost.emplace();
        std::stringstream costs(head.substr(open + 1, close - open - 1));
        std::copy(std::istream_iterator<std::int64_t>(costs), {}, std::back_inserter(*model.cost));
        head = trimmed(head.substr(0, open));
    }
    model.probability = parse_number(head, where);
    return model;
}

} // namespace neurasp::conformance
