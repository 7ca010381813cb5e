// Includes the whole interface, except the part that needs LibTorch (semantic_loss.hpp).
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/circuit.hpp"
#include "neurasp/consistency.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/learning_check.hpp"
#include "neurasp/limits.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/observation_set.hpp"
#include "neurasp/program.hpp"
#include "neurasp/question.hpp"
#include "neurasp/reasoner.hpp"
#include "neurasp/training.hpp"
#include "neurasp/version.hpp"
