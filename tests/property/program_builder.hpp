// Builds a random program piece by piece. The random variables come first (random_variables.cpp), then
// pieces of answer set programming that talk about them (pieces.cpp), then observations. Programs about
// cycles (cycle_pieces.cpp) and about tables (table_pieces.cpp) have variables, pieces and observations of their own.
#pragma once

#include "random_program.hpp"

namespace neurasp::property {

class ProgramBuilder {
  public:
    explicit ProgramBuilder(std::uint64_t seed);
    RandomProgram build();

  private:
    // random_variables.cpp
    void add_random_variables();
    void add_network(std::size_t number);
    void add_probabilistic_rule(std::size_t number);
    void add_events(const std::string &network, const std::string &terms, std::size_t events,
                    const std::vector<std::string> &outcomes, bool one_column,
                    std::vector<VariableSpec> &variables) const;
    std::vector<std::string> make_outcomes(std::size_t count, std::size_t number);
    bool fits(std::size_t outcomes, std::size_t instances) const;
    void count_choices(std::size_t outcomes, std::size_t instances);

    // pieces.cpp: each adds one or more statements
    void add_piece();
    void add_normal_rule();
    void add_positive_loop();
    void add_shared_loop();
    void add_even_loop();
    void add_constraint();
    void add_choice();
    void add_disjunction();
    void add_head_cycle();
    void add_count();
    void add_sum();
    void add_min_max();
    void add_recursive_aggregate();
    void add_strong_negation();
    void add_weak_constraint();
    void add_minimize();
    void add_conditional_literal();
    void add_interval();
    void add_network_join();
    void add_constant();
    void add_external();
    void add_valued_constant();
    void add_show();

    // cycle_pieces.cpp
    void build_cycles();
    void add_cycle_variables();
    void add_cycle_piece();
    std::string add_graph(std::size_t nodes, std::size_t more); // returns its edges' predicate
    void add_reachability();
    void add_second_relation(const std::string &first, const std::string &edge, std::size_t nodes);
    void add_paths();
    void add_tangle();
    void add_interleaved_cycles();
    void add_threshold_network();
    void add_weight_body();
    void add_cube_set();
    void add_choice_on_cycle();
    void add_disjunction_in_cycles();
    void add_even_loop_below();
    void announce(const std::string &atom);
    std::string outcome_literal();
    std::string literal_atom(); // an atom that a cycle derives, or any atom

    // table_pieces.cpp
    void build_tables();
    void add_row_variables();
    void add_table(std::vector<std::vector<std::string>> &nodes, std::size_t &row);

    // observations.cpp
    ObservationSpec make_observation();
    void add_observation_rules(ObservationSpec &observation);
    std::string make_query();

    void add(std::string text);
    void add(std::string neurasp, std::string plain);
    std::string derived();  // a derived atom
    std::string fresh();    // a derived atom that no other piece has made its own
    std::string positive(); // any atom
    std::string literal();  // with or without `not`
    std::string body(std::size_t count);
    std::string number(std::size_t value) const { return std::to_string(value); }

    Dice dice_;
    RandomProgram program_;
    std::vector<std::string> outcomes_; // all outcome atoms
    std::vector<std::string> derived_;
    std::vector<std::string> targets_;    // atoms that cycles derive
    std::vector<VariableSpec> on_demand_; // variables that the fact `img(extra)` would add
    std::size_t total_choices_ = 1;
    std::size_t freedom_ = 0; // pieces that multiply models
    std::size_t fresh_ = 0;
    bool event_base_one_ = false;
};

} // namespace neurasp::property
