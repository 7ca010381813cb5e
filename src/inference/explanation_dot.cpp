// An explanation as a drawing for Graphviz: one frame for each derivation, the query on top of it, rules between a
// literal and those it rests on. Texts of users go into quoted strings only.
#include "neurasp/answers.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace neurasp {

namespace {

constexpr std::size_t line_length = 36; // of a rule's text, about

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

// The text in lines, which end after a comma or a rule's neck where there is one in time.
std::string wrapped(const std::string &text) {
    std::string result;
    std::size_t begin = 0;
    while (text.size() - begin > line_length) {
        std::size_t cut = std::string::npos;
        for (const std::string_view mark : {", ", "; ", ":- "}) {
            const std::size_t place = text.rfind(mark, begin + line_length);
            if (place == std::string::npos || place <= begin) continue;
            cut =
                cut == std::string::npos ? place + mark.size() : std::max(cut, place + mark.size());
        }
        if (cut == std::string::npos || cut <= begin) break;
        result += escaped(text.substr(begin, cut - begin)) + "\\l  ";
        begin = cut;
    }
    return result + escaped(text.substr(begin)) + "\\l";
}

struct Style {
    std::string_view remark; // below the literal
    std::string_view look;
};

Style style_of(const DerivationStep &step) {
    switch (step.kind) {
    case StepKind::fact: return {"fact", "style=filled, fillcolor=\"#eeeeee\""};
    case StepKind::outcome: return {"", "style=filled, fillcolor=\"#cfe8ff\""};
    case StepKind::external: return {"external", "style=filled, fillcolor=\"#eeeeee\""};
    case StepKind::rule: return {"", "style=rounded"};
    case StepKind::choice:
        return {"chosen freely", "style=\"rounded,filled\", fillcolor=\"#e3f5df\""};
    case StepKind::disjunction:
        return {"one of a disjunction", "style=\"rounded,filled\", fillcolor=\"#e3f5df\""};
    case StepKind::constraint: return {"", "style=filled, fillcolor=\"#ffd6d6\""};
    case StepKind::other: return {"", "style=\"filled,dashed\", fillcolor=\"#cfe8ff\""};
    case StepKind::underivable: return {"no rule derives it", "style=\"rounded,dashed\""};
    case StepKind::blocked: return {"no rule fires", "style=\"rounded,dashed\""};
    case StepKind::circular: return {"only in a circle", "style=\"rounded,dashed\""};
    }
    return {};
}

class ExplanationDrawing {
  public:
    explicit ExplanationDrawing(const ExplanationAnswer &answer) : answer_(answer) {
        for (const OutcomeChange &change : answer.changes) {
            changed_.insert(change.with.atom);
            changed_.insert(change.without.atom);
        }
    }

    std::string run() {
        print("digraph explanation {{\n    graph [fontname=\"sans-serif\", labelloc=t, "
              "label=\"{}\"];\n",
              escaped(title()));
        print("    node [fontname=\"sans-serif\", shape=box, fontsize=12];\n"
              "    edge [dir=back, arrowsize=0.6];\n");
        if (answer_.with_query && answer_.why) {
            draw("with", fmt::format("most probable model with {}", answer_.query),
                 answer_.with_query->probability, *answer_.why, answer_.query);
        }
        if (answer_.without_query && answer_.why_not) {
            draw("without", fmt::format("most probable model without {}", answer_.query),
                 answer_.without_query->probability, *answer_.why_not,
                 fmt::format("not ({})", answer_.query));
        }
        if (answer_.conflict) {
            changed_.clear();
            for (const ReasonOutcome &outcome : answer_.conflict->outcomes) {
                changed_.insert(outcome.atom);
            }
            draw("conflict", "the most probable outcomes, together not allowed",
                 answer_.conflict->probability, answer_.conflict->derivation, "");
        }
        return text_ + "}\n";
    }

  private:
    template <class... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    std::string title() const {
        const bool given = (answer_.why && !answer_.why->observation.empty()) ||
                           (answer_.why_not && !answer_.why_not->observation.empty());
        constexpr double rounding = 1e-9;
        const bool coherent = answer_.observation.value >= 1.0 - rounding;
        const std::string label = fmt::format("P({}{})", answer_.query,
                                              given      ? " | O"
                                              : coherent ? ""
                                                         : " | some stable model");
        if (!answer_.probability) return label + " is undefined";
        const Probability &value = *answer_.probability;
        return value.exact ? fmt::format("{} = {:.8g}", label, value.value)
                           : fmt::format("{} >= {:.8g}", label, value.lower);
    }

    // `top` stands above the literals of the query, unless it is one of them.
    void draw(std::string_view name, const std::string &label, const Probability &probability,
              const Derivation &derivation, const std::string &top) {
        prefix_ = name;
        rules_ = 0;
        print("    subgraph cluster_{} {{\n    label=\"{}: {:.4g}\";\n    style=rounded; "
              "color=\"#999999\";\n",
              name, escaped(label), probability.value);
        for (std::size_t i = 0; i < derivation.steps.size(); ++i) draw(i, derivation.steps[i]);
        draw_top("query", top, derivation.query, derivation.note);
        draw_top("observation", "observation", derivation.observation, "");
        if (derivation.left_out > 0) {
            print("    {}_more [shape=plaintext, label=\"... {} more\"];\n", prefix_,
                  derivation.left_out);
        }
        print("    }}\n");
    }

    void draw_top(std::string_view kind, const std::string &top,
                  const std::vector<DerivationLink> &links, const std::string &note) {
        if (top.empty() || (links.empty() && note.empty())) return;
        const bool stands_alone =
            links.size() == 1 && links.front().step &&
            (links.front().literal == top || links.front().literal == "not " + answer_.query);
        if (stands_alone) {
            print("    {}_{} [penwidth=2];\n", prefix_, *links.front().step);
            return;
        }
        print("    {}_{} [penwidth=2, label=\"{}{}{}\"];\n", prefix_, kind, escaped(top),
              note.empty() ? "" : "\\n", escaped(note));
        for (const DerivationLink &link : links) {
            draw_edge(fmt::format("{}_{}", prefix_, kind), link, "");
        }
    }

    void draw(std::size_t index, const DerivationStep &step) {
        const Style style = style_of(step);
        std::string label =
            step.kind == StepKind::constraint ? wrapped(step.literal) : escaped(step.literal);
        std::string look(style.look);
        if (step.kind == StepKind::outcome) label += fmt::format("\\n{:.4g}", step.probability);
        if (step.kind == StepKind::other) {
            label += fmt::format("\\n{} instead, {:.4g}", escaped(step.outcome), step.probability);
        }
        if (!style.remark.empty()) label += fmt::format("\\n{}", style.remark);
        if (!step.outcome.empty() && changed_.contains(step.outcome)) {
            look += ", color=\"#d97000\", penwidth=2";
        }
        const std::string node = fmt::format("{}_{}", prefix_, index);
        print("    {} [{}, label=\"{}\"];\n", node, look, label);
        if (!step.rule.empty() && step.kind != StepKind::constraint) {
            draw_rule(node, step.rule, step.body, "fontcolor=\"#555555\"", "");
        } else {
            for (const DerivationLink &link : step.body) draw_edge(node, link, "");
        }
        for (const BlockedRule &rule : step.blocked) {
            draw_rule(node, rule.rule, rule.because, "fontcolor=\"#aa3333\"", "style=dashed");
        }
        if (step.more_blocked > 0) {
            print("    {}_rules [shape=plaintext, fontsize=10, label=\"... {} more rules\"];\n"
                  "    {} -> {}_rules [style=dashed];\n",
                  node, step.more_blocked, node, node);
        }
    }

    void draw_rule(const std::string &node, const std::string &rule,
                   const std::vector<DerivationLink> &body, std::string_view look,
                   std::string_view edge) {
        const std::string name = fmt::format("{}_rule{}", prefix_, rules_++);
        print("    {} [shape=plaintext, fontsize=10, {}, label=\"{}\"];\n    {} -> {} [{}];\n",
              name, look, wrapped(rule), node, name, edge);
        for (const DerivationLink &link : body) draw_edge(name, link, edge);
    }

    void draw_edge(const std::string &from, const DerivationLink &link, std::string_view look) {
        if (!link.step) return;
        print("    {} -> {}_{} [{}];\n", from, prefix_, *link.step, look);
    }

    const ExplanationAnswer &answer_;
    std::set<std::string> changed_; // outcomes that stand out: those in which models differ
    std::string text_;
    std::string prefix_;
    std::size_t rules_ = 0; // of the frame at hand
};

} // namespace

std::string to_dot(const ExplanationAnswer &answer) { return ExplanationDrawing(answer).run(); }

} // namespace neurasp
