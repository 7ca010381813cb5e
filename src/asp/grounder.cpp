// Grounding through libclingo.
//
// The idea. clingo grounds text and reports every ground rule to an observer. Ours copies the rules into a GroundProgram,
// which everything else reads: analysis, the circuit compiler, any number of solvers. So a program is grounded once,
// however many questions are asked about it, and no other part of the code depends on clingo's data structures.
// Observations and queries are grounded later as further parts and see the atoms of earlier parts.
//
// Limits. clingo cannot be interrupted while it grounds, and a small text can have an endless grounding
// (`p(0). p(X+1) :- p(X).`). But if the observer refuses a rule, clingo gives up. So account() counts rules and literals,
// looks at the clock and the stop flag after every 1024 rules, and throws; the CallbackGuard keeps the exception until
// clingo has returned. While clingo produces no rule (all instances of a rule fail, or an aggregate is being collected),
// nothing here can notice a limit; a watching thread of the command ends the process in that case.
//
// Terms. clingo shares equal subterms, so f(f(f(...))) nested 200,000 deep is small in memory, but printing or
// comparing it recurses and overflows the stack, and f(X,X) doubled 60 times has 2^60 parts as text. So each term
// is measured, with shared parts measured once (term_size.hpp), before it enters the GroundProgram.
//
// Sums. gringo computes the bounds of aggregates in 32 bits without noticing overflow, and clasp refuses weights whose
// sum does not fit. So we refuse aggregates whose weights add up to more than 2^31 - 1. An aggregate that gringo
// decides by itself never reaches the observer and escapes this check.
//
// Invariants. A grounder that failed is spent, because clingo's control is then in an unknown state. Atoms keep their
// ids from part to part.
//
// Cost. clingo's grounding, and one copy of each rule into flat arrays. Names are read from clingo's table after each
// part, which costs time linear in all atoms so far.
#include "asp/grounder.hpp"

#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"
#include "asp/term_size.hpp"
#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace neurasp::asp {

namespace {

// clingo falls silent after so many; a rule may have very many instances that it remarks on.
constexpr unsigned message_limit = 10'000;
constexpr std::size_t errors_kept = 200;

std::string summary(const std::vector<GroundMessage> &messages) {
    std::string text;
    for (const GroundMessage &message : messages) {
        if (!text.empty()) text += '\n';
        text += message.text;
    }
    return text;
}

void shift_lines(GroundMessage &message, std::uint32_t lines) {
    if (message.line > lines) {
        message.line -= lines;
        message.end_line -= lines;
    }
    for (GroundMessage &note : message.notes) shift_lines(note, lines);
}

} // namespace

GroundingError::GroundingError(std::vector<GroundMessage> messages)
    : std::runtime_error(summary(messages)), messages_(std::move(messages)) {}

GroundingStopped::GroundingStopped(base::LimitReached limit)
    : std::runtime_error(base::describe(limit)), limit_(limit) {}

struct Grounder::Impl {
    clingo_control *control = nullptr;
    GroundProgram program;
    std::vector<GroundMessage> messages;
    std::size_t error_count = 0;                     // among them, and those that were not kept
    std::set<std::array<std::uint32_t, 4>> remarked; // places of undefined operations in this part
    // clingo remarks on an undefined atom once for each place of "<block>", which all parts share. Each part begins
    // behind the last such remark, in this line (from 0).
    std::uint32_t first_line = 0;
    std::uint32_t last_remark = 0; // line, from 1
    CallbackGuard guard;
    std::vector<AtomId> head_buffer;
    std::vector<Literal> body_buffer;
    std::vector<WeightedLiteral> weighted_buffer;
    std::uint64_t parts = 0;
    bool spent = false; // true while a part is grounded, and forever if that fails
    GroundLimits limits;
    std::uint64_t rules_seen = 0; // rules, minimize statements, shown terms, externals and edges
    std::uint64_t literals_seen = 0;
    TermSizes sizes;

    ~Impl() {
        if (control != nullptr) clingo_control_free(control);
    }

    static void log(int, const char *message, void *data) {
        auto &self = *static_cast<Impl *>(data);
        self.guard.run([&] { self.keep(parse_message(message)); });
    }
    void keep(GroundMessage message);

    std::span<const AtomId> head(const clingo_atom_t *atoms, std::size_t size) {
        head_buffer.clear();
        for (std::size_t i = 0; i < size; ++i) head_buffer.emplace_back(atoms[i]);
        return head_buffer;
    }
    std::span<const Literal> body(const clingo_literal_t *literals, std::size_t size) {
        body_buffer.clear();
        for (std::size_t i = 0; i < size; ++i) body_buffer.emplace_back(literals[i]);
        return body_buffer;
    }
    std::span<const WeightedLiteral> weighted(const clingo_weighted_literal_t *literals,
                                              std::size_t size) {
        weighted_buffer.clear();
        for (std::size_t i = 0; i < size; ++i) {
            weighted_buffer.push_back({Literal(literals[i].literal), literals[i].weight});
        }
        return weighted_buffer;
    }

    void start(const std::vector<std::pair<std::string, std::string>> &constants,
               ClingoTables tables);
    void read_symbols();
    // The term with this handle. Throws: GroundingStopped if it is too large.
    Symbol term(clingo_symbol_t handle);
    // Counts an item of `size` literals that clingo reported. Throws: GroundingStopped at a limit.
    void account(std::size_t size);
    // Calls clingo. Throws: GroundingError with the messages that clingo logged if the call fails.
    template <class Call> void call(Call &&clingo_call);
};

namespace {

template <class Body> bool observe(void *data, std::size_t literals, Body &&body) {
    auto &impl = *static_cast<Grounder::Impl *>(data);
    return impl.guard.run([&] {
        impl.account(literals);
        body(impl);
    });
}

ExternalValue external_value(int type) {
    if (type == clingo_external_type_free) return ExternalValue::free;
    if (type == clingo_external_type_true) return ExternalValue::is_true;
    return ExternalValue::is_false;
}

// Throws: GroundingError if the weights do not add up to a 32-bit number.
void require_small_sum(std::span<const WeightedLiteral> elements) {
    std::int64_t sum = 0;
    for (const WeightedLiteral &element : elements) sum += element.weight;
    if (sum <= std::numeric_limits<std::int32_t>::max()) return;
    GroundMessage message;
    message.kind = GroundMessage::Kind::error;
    message.text = "the absolute weights of an aggregate add up to " + std::to_string(sum) +
                   ", but clingo can count only to 2147483647";
    throw GroundingError({message});
}

clingo_observer_first_t observe_rules() {
    clingo_observer_first_t table{};
    table.rule = [](bool choice, const clingo_atom_t *head, std::size_t head_size,
                    const clingo_literal_t *body, std::size_t body_size, void *data) {
        return observe(data, head_size + body_size, [&](Grounder::Impl &impl) {
            impl.program.add_rule(choice, impl.head(head, head_size), impl.body(body, body_size));
        });
    };
    table.weight_rule = [](bool choice, const clingo_atom_t *head, std::size_t head_size,
                           clingo_weight_t bound, const clingo_weighted_literal_t *body,
                           std::size_t body_size, void *data) {
        return observe(data, head_size + body_size, [&](Grounder::Impl &impl) {
            const auto elements = impl.weighted(body, body_size);
            require_small_sum(elements);
            impl.program.add_weight_rule(choice, impl.head(head, head_size), bound, elements);
        });
    };
    table.minimize = [](clingo_weight_t priority, const clingo_weighted_literal_t *literals,
                        std::size_t size, void *data) {
        return observe(data, size, [&](Grounder::Impl &impl) {
            impl.program.add_minimize(priority, impl.weighted(literals, size));
        });
    };
    table.output_atom = [](clingo_symbol_t symbol, clingo_atom_t atom, void *data) {
        return observe(data, 1, [&](Grounder::Impl &impl) {
            ShownTerm term{impl.term(symbol), {}};
            if (atom != 0) term.condition.emplace_back(AtomId(atom));
            impl.program.add_shown(std::move(term));
        });
    };
    table.output_term = [](clingo_symbol_t symbol, const clingo_literal_t *condition,
                           std::size_t size, void *data) {
        return observe(data, size, [&](Grounder::Impl &impl) {
            const auto literals = impl.body(condition, size);
            impl.program.add_shown({impl.term(symbol), {literals.begin(), literals.end()}});
        });
    };
    return table;
}

clingo_observer_second_t observe_directives() {
    clingo_observer_second_t table{};
    table.external = [](clingo_atom_t atom, int type, void *data) {
        return observe(data, 1, [&](Grounder::Impl &impl) {
            impl.program.add_external({AtomId(atom), external_value(type)});
        });
    };
    table.acyc_edge = [](int from, int to, const clingo_literal_t *condition, std::size_t size,
                         void *data) {
        return observe(data, size, [&](Grounder::Impl &impl) {
            const auto literals = impl.body(condition, size);
            impl.program.add_edge({from, to, {literals.begin(), literals.end()}});
        });
    };
    return table;
}

} // namespace

Symbol Grounder::Impl::term(clingo_symbol_t handle) {
    const Symbol symbol(handle);
    if (sizes.is_too_large(symbol)) throw GroundingStopped(base::LimitReached::term_size);
    return symbol;
}

void Grounder::Impl::account(std::size_t size) {
    constexpr std::uint64_t rules_per_look_at_the_clock = 1024;
    ++rules_seen;
    literals_seen += size;
    if (rules_seen > limits.rules ||
        literals_seen / GroundLimits::literals_per_rule > limits.rules) {
        throw GroundingStopped(base::LimitReached::rules);
    }
    if (rules_seen % rules_per_look_at_the_clock != 0) return;
    limits.budget.report(rules_seen);
    if (limits.budget.exhausted()) throw GroundingStopped(limits.budget.reached());
}

template <class Call> void Grounder::Impl::call(Call &&clingo_call) {
    messages.clear();
    error_count = 0;
    try {
        guard.finish(clingo_call());
    } catch (const ClingoError &error) {
        std::vector<GroundMessage> errors = messages;
        const bool explained = std::any_of(errors.begin(), errors.end(), [](const auto &message) {
            return message.kind == GroundMessage::Kind::error;
        });
        if (!explained) {
            errors.push_back(parse_message(error.what()));
            errors.back().kind = GroundMessage::Kind::error;
        }
        throw GroundingError(std::move(errors));
    }
}

void Grounder::Impl::keep(GroundMessage message) {
    using Topic = GroundMessage::Topic;
    if (message.kind == GroundMessage::Kind::error && ++error_count > errors_kept) return;
    if (message.topic == Topic::undefined_atom) last_remark = std::max(last_remark, message.line);
    shift_lines(message, first_line);
    if (message.topic == Topic::undefined_operation &&
        !remarked.insert({message.line, message.column, message.end_line, message.end_column})
             .second) {
        return; // of another instance
    }
    messages.push_back(std::move(message));
}

void Grounder::Impl::start(const std::vector<std::pair<std::string, std::string>> &constants,
                           ClingoTables tables) {
    std::vector<std::string> arguments;
    for (const auto &[name, value] : constants) {
        arguments.emplace_back("-c");
        arguments.push_back(name + "=" + value);
    }
    std::vector<const char *> pointers;
    for (const std::string &argument : arguments) pointers.push_back(argument.c_str());
    call([&] {
        return clingo_control_new(pointers.data(), pointers.size(), &Impl::log, this, message_limit,
                                  &control);
    });
    static const clingo_observer_5_4_t observer_with_csp{observe_rules(), nullptr,
                                                         observe_directives()};
    static const clingo_observer_5_6_t observer{observe_rules(), observe_directives()};
    const void *table = tables.observer_has_csp ? static_cast<const void *>(&observer_with_csp)
                                                : static_cast<const void *>(&observer);
    check(clingo_control_register_observer(control, table, true, this));
}

void Grounder::Impl::read_symbols() {
    const clingo_symbolic_atoms *atoms = nullptr;
    check(clingo_control_symbolic_atoms(control, &atoms));
    std::uint64_t at = 0;
    std::uint64_t end = 0;
    check(clingo_symbolic_atoms_begin(atoms, nullptr, &at));
    check(clingo_symbolic_atoms_end(atoms, &end));
    for (;;) {
        bool done = false;
        check(clingo_symbolic_atoms_iterator_is_equal_to(atoms, at, end, &done));
        if (done) return;
        clingo_symbol_t symbol = 0;
        clingo_literal_t literal = 0;
        bool fact = false;
        check(clingo_symbolic_atoms_symbol(atoms, at, &symbol));
        check(clingo_symbolic_atoms_literal(atoms, at, &literal));
        check(clingo_symbolic_atoms_is_fact(atoms, at, &fact));
        if (literal > 0) program.set_symbol(Literal(literal).atom(), term(symbol), fact);
        check(clingo_symbolic_atoms_next(atoms, at, &at));
    }
}

Grounder::Grounder(const std::vector<std::pair<std::string, std::string>> &constants)
    : impl_(std::make_unique<Impl>()) {
    impl_->start(constants, require_supported_clingo());
}

Grounder::~Grounder() = default;
Grounder::Grounder(Grounder &&) noexcept = default;
Grounder &Grounder::operator=(Grounder &&) noexcept = default;

void Grounder::ground(const std::string &text, const GroundLimits &limits) {
    NEURASP_ASSERT(!impl_->spent, "a grounder that failed is not used again");
    impl_->spent = true;
    impl_->limits = limits;
    const std::string part = impl_->parts++ == 0 ? "base" : "part" + std::to_string(impl_->parts);
    impl_->first_line = impl_->last_remark;
    impl_->remarked.clear();
    const std::string placed = std::string(impl_->first_line, '\n') + text;
    impl_->call([&] {
        return clingo_control_add(impl_->control, part.c_str(), nullptr, 0, placed.c_str());
    });
    std::vector<GroundMessage> parsing = std::move(impl_->messages);
    const clingo_part_t parts{part.c_str(), nullptr, 0};
    impl_->call([&] { return clingo_control_ground(impl_->control, &parts, 1, nullptr, nullptr); });
    impl_->messages.insert(impl_->messages.begin(), parsing.begin(), parsing.end());
    impl_->read_symbols();
    impl_->spent = false;
}

const GroundProgram &Grounder::program() const noexcept { return impl_->program; }
const std::vector<GroundMessage> &Grounder::messages() const noexcept { return impl_->messages; }

std::optional<Symbol> Grounder::constant(const std::string &name) const {
    bool exists = false;
    check(clingo_control_has_const(impl_->control, name.c_str(), &exists));
    if (!exists) return std::nullopt;
    clingo_symbol_t symbol = 0;
    check(clingo_control_get_const(impl_->control, name.c_str(), &symbol));
    return Symbol(symbol);
}

} // namespace neurasp::asp
