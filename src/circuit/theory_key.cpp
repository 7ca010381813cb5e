// Keys of theories, under which circuits are cached in memory and on disk.
//
// A key is a fingerprint of 128 bits of the whole theory, as a sequence: variables, choices, clauses with their owners,
// heads, supports, evidence, open atoms, shown literals. Here the order counts, unlike in the keys of components
// (fingerprint.hpp), because the order of variables and clauses decides which circuit the compiler makes. Lengths are
// part of the sequence, so that different theories cannot have the same one.
//
// Names are not part of the key: questions that differ only in ground terms, such as the same sum about other
// pictures, have equal theories and share a circuit. The sources of choices are left out for the same reason.
//
// A key also holds the version of the compiler and, for programs that outcomes do not determine, the kind of
// leaves (Below). Whenever the compiler makes another circuit of the same theory, raise `compiler_version`: otherwise a
// folder of stored circuits would mix old and new ones.
#include "circuit/theory_key.hpp"

namespace neurasp::circuit {

namespace {

// Raise it when the compiler makes a different circuit from the same theory.
constexpr std::uint64_t compiler_version = 7;

class Sequence {
  public:
    void add(std::uint64_t number) {
        key_.high = mix(key_.high, number);
        key_.low = mix(~key_.low, number ^ 0x2545f4914f6cdd1dU);
    }
    void add(std::span<const Lit> literals) {
        add(literals.size());
        for (const Lit lit : literals) add(lit.code());
    }
    const Fingerprint &key() const { return key_; }

  private:
    Fingerprint key_;
};

} // namespace

Fingerprint theory_key(const Theory &theory, Below below) {
    Sequence sequence;
    sequence.add(compiler_version);
    sequence.add(theory.determined ? 2 : static_cast<std::uint64_t>(below));
    sequence.add(theory.contradictory ? 1 : 0);
    sequence.add(theory.variable_limit());
    for (Var var = 1; var < theory.variable_limit(); ++var) {
        sequence.add(static_cast<std::uint64_t>(theory.kind(var)));
    }
    sequence.add(theory.choices().size());
    for (const Choice &choice : theory.choices()) sequence.add(choice.outcomes);
    sequence.add(theory.coins);
    sequence.add(theory.clause_count());
    for (std::size_t i = 0; i < theory.clause_count(); ++i) {
        sequence.add(theory.owner(i));
        sequence.add(theory.clause(i));
    }
    // their bodies are in the clauses
    sequence.add(theory.heads.size());
    for (const Head &head : theory.heads) sequence.add(head.literal.code());
    sequence.add(theory.recursive.size());
    for (const RecursiveAtom &atom : theory.recursive) {
        sequence.add(atom.atom);
        sequence.add(atom.component);
        sequence.add(atom.supports.size());
        for (const Support &support : atom.supports) {
            sequence.add(support.body.code());
            sequence.add(support.needs.size());
            for (const Var need : support.needs) sequence.add(need);
            sequence.add(support.choice ? 1 : 0);
        }
    }
    sequence.add(theory.evidence);
    sequence.add(theory.open_atoms.size());
    for (const auto &[var, atom] : theory.open_atoms) sequence.add(var);
    sequence.add(theory.shown);
    return sequence.key();
}

Signature signature_of(const Theory &theory, Below below) {
    Signature signature;
    for (std::size_t c = 0; c < theory.random_count(); ++c) {
        signature.outcomes.push_back(
            static_cast<std::uint32_t>(theory.choices()[c].outcomes.size()));
    }
    signature.random_variables = static_cast<std::uint32_t>(signature.outcomes.size());
    if (below == Below::models) {
        signature.outcomes.resize(signature.outcomes.size() + theory.open_atoms.size(), 2);
    }
    signature.outcomes.resize(signature.outcomes.size() + theory.shown.size(), 2);
    return signature;
}

} // namespace neurasp::circuit
