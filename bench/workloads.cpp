// The list of workloads, and finding the family of a name.
#include "workload_support.hpp"

#include <stdexcept>

namespace neurasp::bench {

std::vector<std::string> workload_names() {
    return {
        "add1_carry",     "add2_carry",
        "add3_carry",     "add4_carry",
        "add8_carry",     "add15_carry",
        "add1_carry_ev",  "add2_carry_ev",
        "add4_carry_ev",  "add8_carry_ev",
        "add15_carry_ev", "add1_naive",
        "add2_naive",     "add3_naive",
        "add2_sum",       "add4_sum",
        "add8_sum",       "add2x2",
        "apply2x2",       "member3",
        "member5",        "member5_neg",
        "hwf3",           "hwf5",
        "hwf7",           "hwf7_6",
        "sp_p",           "sp_pr",
        "sp_pro",         "sp_pronr",
        "grid3",          "grid4",
        "grid5",          "grid6",
        "grid7",          "topk_10_7",
        "topk_20_10",     "topk_50_10",
        "topk_100_20",    "smokers10",
        "smokers15",      "rel_3x3",
        "rel_4x4",        "rel_5x5",
        "rel_6x6",        "relrand20",
        "relrand30",      "relrand40",
        "coin",           "color6",
        "color7",         "chain20",
        "chain40",        "sudoku_easy",
        "sudoku_mid",     "sudoku_17",
        "sudoku4_all",    "sudoku4_perc_nor",
    };
}

Workload make_workload(std::string_view name) {
    for (const auto &make : {make_addition, make_member, make_tables, make_formula,
                             make_shortest_path, make_simple_path, make_reachability, make_smokers,
                             make_choose, make_free_choice, make_sudoku, make_small_sudoku}) {
        if (std::optional<Workload> workload = make(name)) {
            workload->name = name;
            if (!workload->draw) {
                workload->draw = [calls = workload->calls](std::uint64_t seed) {
                    return random_outputs(calls, seed);
                };
            }
            return *std::move(workload);
        }
    }
    throw std::invalid_argument("there is no workload '" + std::string(name) + "'");
}

} // namespace neurasp::bench
