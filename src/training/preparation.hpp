// Observations are made ready: read and grounded by the calling thread, compiled by several.
//
// Ids and whatever is kept of an observation depend on the order in which observations are met, never on the order
// in which threads come to their end.
#pragma once

#include "training/observation_table.hpp"
#include "training/warning_book.hpp"

#include <span>
#include <vector>

namespace neurasp::training {

// What preparing changes.
struct Workshop {
    Program program;
    Reasoner reasoner;
    TrainingOptions options;
    Vocabulary vocabulary;
    ObservationTable observations;
    TrainingStatistics statistics;
    WarningBook warnings;
};

// As TrainingProgram::prepare.
std::vector<ObservationId> prepare(Workshop &workshop, std::span<const Observation> observations,
                                   const Limits &limits);
} // namespace neurasp::training
