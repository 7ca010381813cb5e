// The main function of `neurasp` and `neurasp-torch`.
#include "cli/app.hpp"

int main(int argc, char **argv) { return neurasp::cli::run(argc, argv); }
