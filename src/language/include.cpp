// Finds and opens included files; see include.hpp.
#include "language/include.hpp"

#include "base/option_names.hpp"
#include "base/text_file.hpp"

#include <filesystem>
#include <utility>

namespace neurasp::language {

namespace {

namespace fs = std::filesystem;

// The text of a string token without quotes and escapes.
std::string unquoted(std::string_view token) {
    std::string result;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        if (token[i] == '\\' && i + 2 < token.size()) {
            ++i;
            result += token[i] == 'n' ? '\n' : token[i];
        } else {
            result += token[i];
        }
    }
    return result;
}

// Looks next to the including file, then in the working directory; only regular files count.
std::optional<fs::path> locate(const fs::path &includer, const fs::path &file) {
    for (const fs::path &candidate : {includer.parent_path() / file, file}) {
        std::error_code error;
        if (fs::is_regular_file(candidate, error)) return candidate;
    }
    return std::nullopt;
}

std::string canonical_name(const fs::path &path) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    return error ? std::string() : canonical.string();
}

} // namespace

void Includes::find_noted(const SourceMap &sources) {
    for (const SourceUnit &unit : noted_) {
        std::string name = canonical_name(sources.name(unit.source));
        if (!name.empty()) seen_.emplace(std::move(name), unit.role, unit.number);
    }
    noted_.clear();
}

std::optional<SourceUnit> Includes::open(SourceMap &sources, const Statement &statement,
                                         const ReadOptions &options, Reporter &reporter) {
    const SourceSpan span = statement.span();
    if (statement.kind_at(1) != TokenKind::string || statement.kind_at(2) != TokenKind::dot) {
        const bool library = sources.text(statement.span(1)) == "<";
        reporter.error(library ? "include-refused" : "syntax", span,
                       library ? "clingo's own '#include <..>' is not supported"
                               : "expected '#include \"file\".'");
        return std::nullopt;
    }
    if (!options.allow_include) {
        reporter.error("include-refused", span, "including files is not allowed here",
                       "pass the files by name, or allow includes", base::option::allow_include);
        return std::nullopt;
    }
    find_noted(sources);
    const std::string file = unquoted(sources.text(statement.span(1)));
    const std::optional<fs::path> path = locate(sources.name(span.source), file);
    std::optional<std::string> text;
    if (path) {
        SourceUnit unit = statement.unit;
        const bool is_new = seen_.emplace(canonical_name(*path), unit.role, unit.number).second;
        if (!is_new) return std::nullopt;
        text = base::find_text_file(path->string());
    }
    if (!text) {
        reporter.error("include-not-found", statement.span(1),
                       "cannot read the file " + in_quotes(file),
                       "the file is searched for next to this one, then in the working directory");
        return std::nullopt;
    }
    SourceUnit unit = statement.unit;
    try {
        unit.source = sources.add(path->string(), std::move(*text));
    } catch (const InputError &error) {
        for (const Diagnostic &diagnostic : error.diagnostics()) reporter.adopt(span, diagnostic);
        return std::nullopt;
    }
    return unit;
}

} // namespace neurasp::language
