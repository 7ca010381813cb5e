// Random programs for the compiler.
#include "random_tables.hpp"

#include <algorithm>

namespace neurasp::circuit::test {

namespace {

class TablesBuilder {
  public:
    explicit TablesBuilder(std::uint64_t seed) : random_(seed) {}

    RandomText run() {
        const std::uint64_t roots = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < roots; ++i) {
            nodes_.push_back(new_variable("r" + std::to_string(i), 2 + random_.below(4)));
        }
        const std::uint64_t tables = random_.below(6);
        for (std::uint64_t i = 0; i < tables && has_room(); ++i) add_table(i);
        const std::uint64_t rules = random_.below(4);
        for (std::uint64_t i = 0; i < rules; ++i) add_rule(i);
        if (chance(8)) add_cycle();
        if (chance(10)) add_free_choices();
        for (std::uint64_t i = random_.below(3); i > 0; --i) add_constraint();
        for (const auto &node : nodes_) {
            tables_.atoms.insert(tables_.atoms.end(), node.begin(), node.end());
        }
        return std::move(tables_);
    }

  private:
    using Names = std::vector<std::string>;

    bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
    // Brute force goes over all total choices.
    bool has_room() const { return choices_ <= 600; }

    void line(const std::string &text) { tables_.program += text + "\n"; }

    Names new_variable(const std::string &name, std::uint64_t outcomes) {
        Names names;
        for (std::uint64_t o = 0; o < outcomes; ++o) {
            names.push_back(name + "(" + std::to_string(o) + ")");
        }
        line("{" + name + "(0.." + std::to_string(outcomes - 1) + ")}.");
        tables_.variables.push_back(names);
        choices_ *= outcomes;
        return names;
    }

    // A node with one or two parents and, for each of their joint values, a row with a random variable of its own, one
    // that several rows share, or a fixed value.
    void add_table(std::uint64_t number) {
        const std::string name = "t" + std::to_string(number);
        const std::uint64_t values = chance(2) ? 2 : 2 + random_.below(4);
        const Names first = chance(2) ? nodes_.back() : nodes_[random_.below(nodes_.size())];
        const Names second = chance(2) ? nodes_[random_.below(nodes_.size())] : Names{};
        const std::string shared = name + "s";
        bool has_shared = false;
        std::uint64_t row = 0;
        for (const std::string &a : first) {
            for (std::size_t b = 0; b < std::max<std::size_t>(second.size(), 1); ++b) {
                std::string body = a;
                if (!second.empty() && second[b] != a) body += ", " + second[b];
                if (chance(8)) continue; // no row
                if (chance(6) || !has_room()) {
                    line(name + "(" + std::to_string(random_.below(values)) + ") :- " + body + ".");
                    continue;
                }
                const bool share = chance(3);
                const std::string source = share ? shared : name + "_" + std::to_string(row++);
                if (!share || !has_shared) new_variable(source, values);
                has_shared = has_shared || share;
                for (std::uint64_t v = 0; v < values; ++v) {
                    const std::string value = "(" + std::to_string(v) + ")";
                    line(name + value + " :- " + body + ", " + source + value + ".");
                }
            }
        }
        Names names;
        for (std::uint64_t v = 0; v < values; ++v) {
            names.push_back(name + "(" + std::to_string(v) + ")");
            line("mentioned :- " + names.back() + "."); // so that it is known
        }
        nodes_.push_back(std::move(names));
    }

    std::string atom() {
        const Names &node = nodes_[random_.below(nodes_.size())];
        return node[random_.below(node.size())];
    }
    std::string literal() { return (chance(3) ? "not " : "") + atom(); }
    std::string atoms(std::uint64_t count) {
        std::string text = atom();
        while (--count > 0) text += "; " + atom();
        return text;
    }

    std::string aggregate() {
        const std::string bound = std::to_string(1 + random_.below(3));
        switch (random_.below(4)) {
        case 0: return bound + " {" + atoms(4) + "}";
        case 1: return "#sum{2 : " + atom() + "; -1 : " + atom() + "; 1 : " + literal() + "} > 0";
        case 2:
            return "#max{1 : " + atom() + "; 2 : " + literal() + "; 3 : " + atom() +
                   "} >= " + bound;
        default:
            return "#count{x : " + atom() + "; y : " + literal() + "; z : " + atom() +
                   "} != " + bound;
        }
    }

    void add_rule(std::uint64_t number) {
        const std::string name = "a" + std::to_string(number);
        if (chance(2)) {
            line(name + " :- " + aggregate() + ".");
        } else {
            for (std::uint64_t i = 0; i <= random_.below(3); ++i) {
                line(name + " :- " + literal() + ", " + literal() + ".");
            }
        }
        line(name + " :- " + atom() + ", " + atom() + "."); // so that it is known
        nodes_.push_back({name});
    }

    void add_constraint() {
        line(":- " + (chance(4) ? aggregate() : literal()) + ", " + literal() + ".");
    }

    // Three atoms that derive each other on conditions.
    void add_cycle() {
        const Names names{"c0", "c1", "c2"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            line(names[i] + " :- " + names[(i + 1) % 3] + ", " + literal() + ".");
            if (chance(2)) line(names[i] + " :- " + names[(i + 2) % 3] + ", " + literal() + ".");
        }
        line("c0 :- " + atom() + ", " + literal() + ".");
        for (const std::string &name : names) nodes_.push_back({name});
    }

    // A choice, and two atoms that exclude each other through negation.
    void add_free_choices() {
        line("{f} :- " + atom() + ".");
        line("g :- f, " + literal() + ".");
        line("p :- not q, " + atom() + ".");
        line("q :- not p, " + atom() + ".");
        for (const char *name : {"f", "g", "p", "q"}) nodes_.push_back({name});
    }

    base::RandomStream random_;
    RandomText tables_;
    std::vector<Names> nodes_; // what later rules may mention
    std::uint64_t choices_ = 1;
};

} // namespace

RandomText random_tables(std::uint64_t seed) { return TablesBuilder(seed).run(); }

} // namespace neurasp::circuit::test
