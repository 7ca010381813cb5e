#include "cli/app.hpp"

int main(int argc, char **argv) { return neurasp::cli::run(argc, argv); }
