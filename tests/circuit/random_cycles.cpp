// Random programs with positive cycles that are linked to each other (random_cycles.hpp).
//
// A program has several parts. The atoms of a part depend on each other, and their bodies name atoms of earlier parts, alone
// or in a conjunction, positive or negated. Such links show mistakes about what else looks at an atom of a cycle
// that programs with one cycle hide. Bodies are shared between heads, arcs may be used in both directions, and there are
// constraints. Every fourth program has free choices or a cycle through negation, so that its outcomes do not determine the
// model.
#include "random_cycles.hpp"

#include "base/random_stream.hpp"

namespace neurasp::circuit::test {

namespace {

class LinkedCycles {
  public:
    explicit LinkedCycles(std::uint64_t seed)
        : random_(seed), free_(random_.below(4) == 0), digraph_(random_.below(3) == 0) {}

    RandomText run() {
        const std::uint64_t variables = 4 + random_.below(4);
        for (std::uint64_t i = 0; i < variables; ++i) add_variable(i);
        const std::uint64_t parts = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < parts; ++i) {
            if (digraph_ && !chance(3)) {
                add_reachability(i);
            } else {
                add_part(i);
            }
        }
        if (free_) add_free_part();
        const std::uint64_t constraints = random_.below(3);
        for (std::uint64_t i = 0; i < constraints; ++i) {
            add(":- " + atom() + ", " + literal() + (chance(2) ? ", " + literal() : "") + ".");
        }
        if (chance(3)) add_rule("w", {literal(), literal()});
        if (chance(3)) {
            add("n :- 2 {" + atom() + "; " + atom() + "; " + literal() + "}.");
            add("n :- " + atom() + ", " + atom() + ".");
            all_.emplace_back("n");
        }
        text_.atoms = all_;
        return std::move(text_);
    }

  private:
    using Names = std::vector<std::string>;

    bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
    const std::string &pick(const Names &names) { return names[random_.below(names.size())]; }
    void add(const std::string &rule) { text_.program += rule + "\n"; }

    void add_variable(std::uint64_t number) {
        const std::string name = "r" + std::to_string(number);
        const std::uint64_t outcomes = chance(5) && choices_ <= 100 ? 3 : 2;
        Names names;
        for (std::uint64_t o = 0; o < outcomes; ++o) {
            names.push_back(name + "(" + std::to_string(o) + ")");
            outcomes_.push_back(names.back());
        }
        add("{" + name + "(0.." + std::to_string(outcomes - 1) + ")}.");
        text_.variables.push_back(std::move(names));
        choices_ *= outcomes;
    }

    std::string outcome() { return (chance(5) ? "not " : "") + pick(outcomes_); }
    std::string atom() { return pick(all_); }
    std::string literal() {
        if (all_.empty() || chance(3)) return outcome();
        return (chance(3) ? "not " : "") + atom();
    }

    void add_rule(const std::string &head, const Names &body) {
        std::string text = head;
        for (std::size_t i = 0; i < body.size(); ++i) text += (i == 0 ? " :- " : ", ") + body[i];
        add(text + ".");
    }

    // Rules that derive atoms of a part from each other and from what is there already.
    void add_part(std::uint64_t number) {
        Names part;
        const std::uint64_t size = 2 + random_.below(4);
        for (std::uint64_t i = 0; i < size; ++i) {
            part.push_back("a" + std::to_string(number) + "(" + std::to_string(i) + ")");
        }
        for (std::uint64_t i = 0; i < size; ++i) { // a cycle through all of them
            Names body{part[i]};
            if (!chance(4)) body.push_back(outcome());
            if (chance(6)) body.push_back(literal());
            add_rule(part[(i + 1) % size], body);
        }
        std::vector<Names> shared;
        const std::uint64_t more = 1 + random_.below(size + 2);
        for (std::uint64_t i = 0; i < more; ++i) {
            Names body{pick(part)};
            if (chance(4)) body.push_back(pick(part));
            if (!chance(3)) body.push_back(outcome());
            if (chance(4)) body.push_back(literal());
            if (!shared.empty() && chance(4)) body = shared[random_.below(shared.size())];
            shared.push_back(body);
            add_rule(pick(part), body);
        }
        const std::uint64_t entries = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < entries; ++i) {
            if (!all_.empty() && chance(2)) {
                add_rule(pick(part), {atom()}); // a bare link
            } else {
                add_rule(pick(part), chance(2) ? Names{outcome()} : Names{literal(), outcome()});
            }
        }
        all_.insert(all_.end(), part.begin(), part.end());
    }

    // Nodes that are reached along random arcs; some arcs work in both directions.
    void add_reachability(std::uint64_t number) {
        const std::string name = "v" + std::to_string(number);
        const std::uint64_t nodes = 4 + random_.below(3);
        const auto node = [&](std::uint64_t i) { return name + "(" + std::to_string(i) + ")"; };
        Names part;
        for (std::uint64_t i = 0; i < nodes; ++i) part.push_back(node(i));
        for (std::uint64_t i = 1; i < nodes; ++i) add_arc(node(random_.below(i)), node(i));
        const std::uint64_t more = 1 + random_.below(nodes);
        for (std::uint64_t i = 0; i < more; ++i) add_arc(pick(part), pick(part));
        add_rule(node(0), all_.empty() || chance(2) ? Names{} : Names{literal()});
        all_.insert(all_.end(), part.begin(), part.end());
    }

    void add_arc(const std::string &from, const std::string &to) {
        const std::string condition = outcome();
        add_rule(to, {from, condition});
        if (chance(2)) add_rule(from, {to, condition});
    }

    // Choices that outcomes leave free, above or below the other parts, and atoms that exclude each other.
    void add_free_part() {
        const std::uint64_t count = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string name = "f" + std::to_string(i);
            add("{" + name + "}" + (chance(2) ? "" : " :- " + (chance(2) ? outcome() : literal())) +
                ".");
            add_rule(atom(), {name, literal()});
            all_.push_back(name);
        }
        if (chance(3)) {
            add("{" + atom() + "} :- " + atom() + ".");
        }
        if (chance(4)) {
            const std::string condition = literal();
            add("p :- not q, " + condition + ". q :- not p, " + condition + ".");
            all_.insert(all_.end(), {"p", "q"});
            add_rule(atom(), {"p", outcome()});
        }
    }

    base::RandomStream random_;
    bool free_;
    bool digraph_;
    RandomText text_;
    Names outcomes_;
    Names all_; // atoms so far
    std::uint64_t choices_ = 1;
};

} // namespace

RandomText random_cycles(std::uint64_t seed) { return LinkedCycles(seed).run(); }

} // namespace neurasp::circuit::test
