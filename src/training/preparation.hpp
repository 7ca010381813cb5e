// Prepares observations: the calling thread reads and grounds them, several threads compile them.
//
// Ids and results depend on the order in which observations first occur, never on the order in which threads finish.
#pragma once

#include "training/family_planner.hpp"
#include "training/observation_table.hpp"
#include "training/warning_book.hpp"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace neurasp::training {

// The data that preparing changes.
struct Workshop {
    Program program;
    Reasoner reasoner;
    TrainingOptions options;
    Vocabulary vocabulary;
    ObservationTable observations;
    TrainingStatistics statistics;
    WarningBook warnings;
    FamilyPlanner families;
    std::set<inference::PartId> expected; // facts that the warnings know of
    std::shared_ptr<inference::CircuitLibrary> library;
    std::size_t program_rules = 0; // ground, without observations
    std::map<std::uint32_t, KindStatistics> kinds;
};

// See TrainingProgram::expect.
void expect(Workshop &workshop, std::span<const Observation> observations);
// See TrainingProgram::prepare.
std::vector<ObservationId> prepare(Workshop &workshop, std::span<const Observation> observations,
                                   const Limits &limits);
} // namespace neurasp::training
