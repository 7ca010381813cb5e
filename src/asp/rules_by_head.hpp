// For each atom of a ground program, the rules that have it in their head, stored in compressed rows.
#pragma once

#include "asp/ground_program.hpp"

#include <span>
#include <vector>

namespace neurasp::asp {

class RulesByHead {
  public:
    explicit RulesByHead(const GroundProgram &program) : begin_(program.atom_limit() + 1, 0) {
        for (std::size_t i = 0; i < program.rule_count(); ++i) {
            for (const AtomId head : program.rule(i).head) ++begin_[head.index() + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        rules_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t i = 0; i < program.rule_count(); ++i) {
            for (const AtomId head : program.rule(i).head) rules_[next[head.index()]++] = i;
        }
    }
    std::span<const std::size_t> of(AtomId atom) const {
        return std::span(rules_).subspan(begin_[atom.index()],
                                         begin_[atom.index() + 1] - begin_[atom.index()]);
    }

  private:
    std::vector<std::size_t> begin_;
    std::vector<std::size_t> rules_;
};

} // namespace neurasp::asp
