// The part of libclingo's C interface that we use, declared here because Debian's package ships the
// library without its header. Only src/asp includes this file.
//
// Functions, types and enumerators are the same in versions 5.4 to 5.8. Two tables are not, and have a declaration for
// each layout; `require_supported_clingo` (clingo_call.hpp) says which one the loaded library expects, and refuses a
// version that we do not know before a table is passed to it. tests/asp/check_abi compares this file with a clingo.h.
#pragma once

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): names are fixed by the ABI
extern "C" {

using clingo_literal_t = std::int32_t;
using clingo_atom_t = std::uint32_t;
using clingo_weight_t = std::int32_t;
using clingo_id_t = std::uint32_t;
using clingo_symbol_t = std::uint64_t;

struct clingo_weighted_literal_t {
    clingo_literal_t literal;
    clingo_weight_t weight;
};
struct clingo_part_t {
    const char *name;
    const clingo_symbol_t *params;
    std::size_t size;
};

struct clingo_control;
struct clingo_backend;
struct clingo_symbolic_atoms;
struct clingo_model;
struct clingo_solve_control;
struct clingo_solve_handle;
struct clingo_configuration;
struct clingo_assignment;
struct clingo_propagate_init;
struct clingo_propagate_control;

enum : int { clingo_error_runtime = 1, clingo_error_bad_alloc = 3, clingo_error_unknown = 4 };
enum : int {
    clingo_warning_operation_undefined = 0,
    clingo_warning_runtime_error = 1,
    clingo_warning_atom_undefined = 2,
};
enum : int {
    clingo_symbol_type_infimum = 0,
    clingo_symbol_type_number = 1,
    clingo_symbol_type_string = 4,
    clingo_symbol_type_function = 5,
    clingo_symbol_type_supremum = 7,
};
enum : int {
    clingo_external_type_free = 0,
    clingo_external_type_true = 1,
    clingo_external_type_false = 2,
    clingo_external_type_release = 3,
};
enum : unsigned {
    clingo_solve_result_satisfiable = 1,
    clingo_solve_result_unsatisfiable = 2,
    clingo_solve_result_exhausted = 4,
    clingo_solve_result_interrupted = 8,
};
enum : unsigned { clingo_solve_mode_yield = 2 };
enum : int {
    clingo_propagator_check_mode_none = 0,
    clingo_propagator_check_mode_total = 1,
    clingo_propagator_check_mode_fixpoint = 2,
};
enum : int { clingo_clause_type_volatile = 2 };
enum : int {
    clingo_truth_value_free = 0,
    clingo_truth_value_true = 1,
    clingo_truth_value_false = 2
};

using clingo_logger_t = void (*)(int code, const char *message, void *data);
using clingo_solve_event_callback_t = bool (*)(unsigned type, void *event, void *data, bool *goon);

// The observer's table in two parts: up to 5.5 there is an entry `output_csp` between them.
struct clingo_observer_first_t {
    bool (*init_program)(bool incremental, void *data);
    bool (*begin_step)(void *data);
    bool (*end_step)(void *data);
    bool (*rule)(bool choice, const clingo_atom_t *head, std::size_t head_size,
                 const clingo_literal_t *body, std::size_t body_size, void *data);
    bool (*weight_rule)(bool choice, const clingo_atom_t *head, std::size_t head_size,
                        clingo_weight_t bound, const clingo_weighted_literal_t *body,
                        std::size_t body_size, void *data);
    bool (*minimize)(clingo_weight_t priority, const clingo_weighted_literal_t *literals,
                     std::size_t size, void *data);
    bool (*project)(const clingo_atom_t *atoms, std::size_t size, void *data);
    bool (*output_atom)(clingo_symbol_t symbol, clingo_atom_t atom, void *data);
    bool (*output_term)(clingo_symbol_t symbol, const clingo_literal_t *condition, std::size_t size,
                        void *data);
};
struct clingo_observer_second_t {
    bool (*external)(clingo_atom_t atom, int type, void *data);
    bool (*assume)(const clingo_literal_t *literals, std::size_t size, void *data);
    bool (*heuristic)(clingo_atom_t atom, int type, int bias, unsigned priority,
                      const clingo_literal_t *condition, std::size_t size, void *data);
    bool (*acyc_edge)(int node_u, int node_v, const clingo_literal_t *condition, std::size_t size,
                      void *data);
    bool (*theory_term_number)(clingo_id_t id, int number, void *data);
    bool (*theory_term_string)(clingo_id_t id, const char *name, void *data);
    bool (*theory_term_compound)(clingo_id_t id, int name_or_type, const clingo_id_t *arguments,
                                 std::size_t size, void *data);
    bool (*theory_element)(clingo_id_t id, const clingo_id_t *terms, std::size_t terms_size,
                           const clingo_literal_t *condition, std::size_t condition_size,
                           void *data);
    bool (*theory_atom)(clingo_id_t id, clingo_id_t term, const clingo_id_t *elements,
                        std::size_t size, void *data);
    bool (*theory_atom_with_guard)(clingo_id_t id, clingo_id_t term, const clingo_id_t *elements,
                                   std::size_t size, clingo_id_t op, clingo_id_t rhs, void *data);
};
struct clingo_observer_5_4_t {
    clingo_observer_first_t first;
    bool (*output_csp)(clingo_symbol_t symbol, int value, const clingo_literal_t *condition,
                       std::size_t size, void *data);
    clingo_observer_second_t second;
};
struct clingo_observer_5_6_t {
    clingo_observer_first_t first;
    clingo_observer_second_t second;
};
// No padding comes between the parts.
static_assert(sizeof(clingo_observer_5_4_t) == 20 * sizeof(void (*)()));
static_assert(sizeof(clingo_observer_5_6_t) == 19 * sizeof(void (*)()));

// The propagator's table: `undo` returns whether it succeeded in 5.4, and nothing from 5.5 on.
struct clingo_propagator_5_4_t {
    bool (*init)(clingo_propagate_init *init, void *data);
    bool (*propagate)(clingo_propagate_control *control, const clingo_literal_t *changes,
                      std::size_t size, void *data);
    bool (*undo)(const clingo_propagate_control *control, const clingo_literal_t *changes,
                 std::size_t size, void *data);
    bool (*check)(clingo_propagate_control *control, void *data);
    bool (*decide)(clingo_id_t thread, const clingo_assignment *assignment,
                   clingo_literal_t fallback, void *data, clingo_literal_t *decision);
};
struct clingo_propagator_5_5_t {
    bool (*init)(clingo_propagate_init *init, void *data);
    bool (*propagate)(clingo_propagate_control *control, const clingo_literal_t *changes,
                      std::size_t size, void *data);
    void (*undo)(const clingo_propagate_control *control, const clingo_literal_t *changes,
                 std::size_t size, void *data);
    bool (*check)(clingo_propagate_control *control, void *data);
    bool (*decide)(clingo_id_t thread, const clingo_assignment *assignment,
                   clingo_literal_t fallback, void *data, clingo_literal_t *decision);
};

void clingo_version(int *major, int *minor, int *revision);
int clingo_error_code();
const char *clingo_error_message();
void clingo_set_error(int code, const char *message);

bool clingo_parse_term(const char *text, clingo_logger_t logger, void *data, unsigned limit,
                       clingo_symbol_t *symbol);
void clingo_symbol_create_number(int number, clingo_symbol_t *symbol);
bool clingo_symbol_create_function(const char *name, const clingo_symbol_t *arguments,
                                   std::size_t size, bool positive, clingo_symbol_t *symbol);
int clingo_symbol_type(clingo_symbol_t symbol);
bool clingo_symbol_number(clingo_symbol_t symbol, int *number);
bool clingo_symbol_name(clingo_symbol_t symbol, const char **name);
bool clingo_symbol_is_positive(clingo_symbol_t symbol, bool *positive);
bool clingo_symbol_arguments(clingo_symbol_t symbol, const clingo_symbol_t **arguments,
                             std::size_t *size);
bool clingo_symbol_is_less_than(clingo_symbol_t a, clingo_symbol_t b);
bool clingo_symbol_to_string_size(clingo_symbol_t symbol, std::size_t *size);
bool clingo_symbol_to_string(clingo_symbol_t symbol, char *string, std::size_t size);

bool clingo_control_new(const char *const *arguments, std::size_t size, clingo_logger_t logger,
                        void *data, unsigned limit, clingo_control **control);
void clingo_control_free(clingo_control *control);
bool clingo_control_add(clingo_control *control, const char *name, const char *const *parameters,
                        std::size_t parameters_size, const char *program);
bool clingo_control_ground(clingo_control *control, const clingo_part_t *parts, std::size_t size,
                           void *callback, void *data);
bool clingo_control_has_const(const clingo_control *control, const char *name, bool *exists);
bool clingo_control_get_const(const clingo_control *control, const char *name,
                              clingo_symbol_t *symbol);
bool clingo_control_symbolic_atoms(const clingo_control *control,
                                   const clingo_symbolic_atoms **atoms);
// The tables are those of the library's version.
bool clingo_control_register_observer(clingo_control *control, const void *observer, bool replace,
                                      void *data);
bool clingo_control_register_propagator(clingo_control *control, const void *propagator, void *data,
                                        bool sequential);
bool clingo_control_backend(clingo_control *control, clingo_backend **backend);
bool clingo_control_configuration(clingo_control *control, clingo_configuration **configuration);
bool clingo_control_solve(clingo_control *control, unsigned mode,
                          const clingo_literal_t *assumptions, std::size_t size,
                          clingo_solve_event_callback_t notify, void *data,
                          clingo_solve_handle **handle);
void clingo_control_interrupt(clingo_control *control);
bool clingo_control_assign_external(clingo_control *control, clingo_literal_t literal, int value);

bool clingo_symbolic_atoms_begin(const clingo_symbolic_atoms *atoms, const std::uint64_t *signature,
                                 std::uint64_t *iterator);
bool clingo_symbolic_atoms_end(const clingo_symbolic_atoms *atoms, std::uint64_t *iterator);
bool clingo_symbolic_atoms_iterator_is_equal_to(const clingo_symbolic_atoms *atoms, std::uint64_t a,
                                                std::uint64_t b, bool *equal);
bool clingo_symbolic_atoms_next(const clingo_symbolic_atoms *atoms, std::uint64_t iterator,
                                std::uint64_t *next);
bool clingo_symbolic_atoms_symbol(const clingo_symbolic_atoms *atoms, std::uint64_t iterator,
                                  clingo_symbol_t *symbol);
bool clingo_symbolic_atoms_literal(const clingo_symbolic_atoms *atoms, std::uint64_t iterator,
                                   clingo_literal_t *literal);
bool clingo_symbolic_atoms_is_fact(const clingo_symbolic_atoms *atoms, std::uint64_t iterator,
                                   bool *fact);

bool clingo_configuration_root(const clingo_configuration *configuration, clingo_id_t *key);
bool clingo_configuration_map_at(const clingo_configuration *configuration, clingo_id_t key,
                                 const char *name, clingo_id_t *subkey);
bool clingo_configuration_value_set(clingo_configuration *configuration, clingo_id_t key,
                                    const char *value);

bool clingo_backend_begin(clingo_backend *backend);
bool clingo_backend_end(clingo_backend *backend);
bool clingo_backend_add_atom(clingo_backend *backend, clingo_symbol_t *symbol, clingo_atom_t *atom);
bool clingo_backend_rule(clingo_backend *backend, bool choice, const clingo_atom_t *head,
                         std::size_t head_size, const clingo_literal_t *body,
                         std::size_t body_size);
bool clingo_backend_weight_rule(clingo_backend *backend, bool choice, const clingo_atom_t *head,
                                std::size_t head_size, clingo_weight_t bound,
                                const clingo_weighted_literal_t *body, std::size_t body_size);
bool clingo_backend_minimize(clingo_backend *backend, clingo_weight_t priority,
                             const clingo_weighted_literal_t *literals, std::size_t size);
bool clingo_backend_project(clingo_backend *backend, const clingo_atom_t *atoms, std::size_t size);
bool clingo_backend_external(clingo_backend *backend, clingo_atom_t atom, int type);
bool clingo_backend_acyc_edge(clingo_backend *backend, int node_u, int node_v,
                              const clingo_literal_t *condition, std::size_t size);

bool clingo_solve_handle_get(clingo_solve_handle *handle, unsigned *result);
bool clingo_solve_handle_resume(clingo_solve_handle *handle);
bool clingo_solve_handle_model(clingo_solve_handle *handle, const clingo_model **model);
bool clingo_solve_handle_close(clingo_solve_handle *handle);
bool clingo_model_is_true(const clingo_model *model, clingo_literal_t literal, bool *result);
bool clingo_model_cost_size(const clingo_model *model, std::size_t *size);
bool clingo_model_cost(const clingo_model *model, std::int64_t *costs, std::size_t size);
bool clingo_model_context(const clingo_model *model, clingo_solve_control **control);
bool clingo_solve_control_add_clause(clingo_solve_control *control, const clingo_literal_t *clause,
                                     std::size_t size);

bool clingo_propagate_init_solver_literal(const clingo_propagate_init *init,
                                          clingo_literal_t program_literal,
                                          clingo_literal_t *solver_literal);
bool clingo_propagate_init_add_watch(clingo_propagate_init *init, clingo_literal_t solver_literal);
void clingo_propagate_init_set_check_mode(clingo_propagate_init *init, int mode);
const clingo_assignment *
clingo_propagate_control_assignment(const clingo_propagate_control *control);
const clingo_assignment *clingo_propagate_init_assignment(const clingo_propagate_init *init);
bool clingo_propagate_control_add_clause(clingo_propagate_control *control,
                                         const clingo_literal_t *clause, std::size_t size, int type,
                                         bool *result);
bool clingo_propagate_control_propagate(clingo_propagate_control *control, bool *result);
bool clingo_assignment_truth_value(const clingo_assignment *assignment, clingo_literal_t literal,
                                   int *value);
std::uint32_t clingo_assignment_decision_level(const clingo_assignment *assignment);

} // extern "C"
// NOLINTEND(readability-identifier-naming,modernize-use-using)
