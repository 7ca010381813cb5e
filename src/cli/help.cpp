// The layout of --help, and the short help of a bare `neurasp`.
#include "cli/help.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace neurasp::cli {

namespace {

constexpr std::size_t name_width = 30;
constexpr std::size_t description_width = 68;

std::string wrap(const std::string &text) {
    std::istringstream words(text);
    std::string wrapped, word;
    std::size_t column = 0;
    while (words >> word) {
        if (column > 0 && column + 1 + word.size() > description_width) {
            wrapped += '\n';
            column = 0;
        } else if (column > 0) {
            wrapped += ' ';
            ++column;
        }
        wrapped += word;
        column += word.size();
    }
    return wrapped;
}

class Formatter : public CLI::Formatter {
  public:
    Formatter() {
        column_width(name_width);
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }
    std::string make_option_desc(const CLI::Option *option) const override {
        return wrap(option->get_description());
    }
    std::string make_help(const CLI::App *app, std::string name,
                          CLI::AppFormatMode mode) const override {
        return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, name, mode), "\n\n\n",
                                             "\n\n");
    }
    std::string make_description(const CLI::App *app) const override {
        return app->get_description() + ".\n\n";
    }
};

} // namespace

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<Formatter>(); }

std::string help_text(const CLI::App &app, const CLI::App &command) {
    const std::string name =
        &command == &app ? app.get_name() : app.get_name() + " " + command.get_name();
    return command.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal);
}

std::string short_help(const CLI::App &app) {
    constexpr std::size_t widest = 12;
    std::string text = "Usage: neurasp COMMAND FILES... [OPTIONS]\n\nCommands:\n";
    for (const CLI::App *command : app.get_subcommands({})) {
        const std::string &name = command->get_name();
        text += "  " + name + std::string(widest - std::min(widest - 1, name.size()), ' ') +
                command->get_description() + "\n";
    }
    return text + "\n`neurasp help COMMAND` explains a command, `neurasp help` says more.\n";
}

void add_help(CLI::App &command) {
    command.set_help_flag();
    command.set_help_flag("-h,--help", "show this help")->group("Display");
}

} // namespace neurasp::cli
