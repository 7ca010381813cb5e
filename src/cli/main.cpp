// The main function of `neurasp` and `neurasp-torch`.
#include "cli/app.hpp"
#include "cli/learning_options.hpp"

int main(int argc, char **argv) { return neurasp::cli::leave(neurasp::cli::run(argc, argv)); }
