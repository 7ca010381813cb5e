// Everything: include this one.
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/diagnostic.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/reasoner.hpp"
#include "neurasp/version.hpp"
