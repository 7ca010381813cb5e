#include "runs/run_log.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace neurasp::runs {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json &json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Numbers by name.
Json named(const std::vector<std::pair<std::string, double>> &numbers) {
    Json json = Json::object();
    for (const auto &[name, number] : numbers) json[name] = number;
    return json;
}

// What is no JSON stays a text.
Json configuration(const std::string &text) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? Json(text) : json;
}

// The end of the last line among the first `size` bytes, or nothing after an error.
std::optional<std::uint64_t> end_of_lines(int descriptor, std::uint64_t size) {
    std::array<char, 4096> block{};
    while (size > 0) {
        const std::size_t length = std::min<std::uint64_t>(block.size(), size);
        std::size_t filled = 0;
        while (filled < length) {
            const auto count = ::pread(descriptor, block.data() + filled, length - filled,
                                       static_cast<off_t>(size - length + filled));
            if (count < 0 && errno == EINTR) continue;
            if (count == 0) errno = EIO; // somebody else shortens the file
            if (count <= 0) return std::nullopt;
            filled += static_cast<std::size_t>(count);
        }
        const auto newline = std::string_view(block.data(), length).rfind('\n');
        if (newline != std::string_view::npos) return size - length + newline + 1;
        size -= length;
    }
    return 0;
}

} // namespace

RunLog::RunLog(std::filesystem::path file) : file_(std::move(file)) { open(O_TRUNC); }

RunLog::RunLog(std::filesystem::path file, std::uint64_t resume_at) : file_(std::move(file)) {
    open(0);
    try {
        cut(resume_at);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

RunLog::RunLog(RunLog &&other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_) {}

RunLog &RunLog::operator=(RunLog &&other) noexcept {
    std::swap(file_, other.file_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(position_, other.position_);
    return *this;
}

RunLog::~RunLog() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::open(int flags) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
    if (descriptor_ < 0) fail(errno);
}

void RunLog::cut(std::uint64_t size) {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail(errno);
    const auto present = static_cast<std::uint64_t>(status.st_size);
    const auto kept = end_of_lines(descriptor_, std::min(size, present));
    if (!kept) fail(errno);
    position_ = *kept;
    if (position_ < present && ::ftruncate(descriptor_, static_cast<off_t>(position_)) != 0) {
        fail(errno);
    }
}

void RunLog::write_line(std::string line) {
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
        const auto count = ::write(descriptor_, rest.data(), rest.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int error = count < 0 ? errno : ENOSPC;
            // A part of a line is worth nothing; if it cannot be removed now, resuming does it.
            if (::ftruncate(descriptor_, static_cast<off_t>(position_)) != 0) errno = 0;
            fail(error);
        }
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
    position_ += line.size();
}

void RunLog::fail(int error) const {
    throw EnvironmentError(
        fmt::format("cannot write '{}': {}", file_.string(), std::strerror(error)));
}

void RunLog::start(const RunSummary &run, std::string_view time) {
    Json networks = Json::object();
    for (const auto &[name, description] : run.networks) networks[name] = description;
    write_line(dump({{"event", "start"},
                     {"time", time},
                     {"title", run.title},
                     {"epochs_done", run.history.epochs.size()},
                     {"networks", std::move(networks)},
                     {"configuration", configuration(run.configuration_json)}}));
}

void RunLog::batch(const LossPoint &point) {
    write_line(dump({{"event", "batch"},
                     {"batch", point.batch},
                     {"loss", point.loss},
                     {"examples_per_second", point.examples_per_second}}));
}

void RunLog::epoch(const EpochRecord &record) {
    write_line(dump({{"event", "epoch"},
                     {"epoch", record.epoch},
                     {"batches", record.batches},
                     {"examples", record.examples},
                     {"loss", record.loss},
                     {"mean_log_probability", record.mean_log_probability},
                     {"impossible", record.impossible},
                     {"seconds",
                      {{"data", record.seconds.data},
                       {"network", record.seconds.network},
                       {"symbolic", record.seconds.symbolic},
                       {"compile", record.seconds.compile}}},
                     {"learning_rates", named(record.learning_rates)}}));
}

void RunLog::evaluation(std::size_t epoch, std::uint64_t batch, const Evaluation &evaluation) {
    Json metrics = Json::object();
    for (const Metric &metric : evaluation.metrics) metrics[metric.name] = metric.value;
    write_line(dump({{"event", "evaluation"},
                     {"epoch", epoch},
                     {"batch", batch},
                     {"split", evaluation.split},
                     {"examples", evaluation.examples},
                     {"seconds", evaluation.seconds},
                     {"metrics", std::move(metrics)}}));
}

void RunLog::warning(std::string_view code, std::string_view message) {
    write_line(dump({{"event", "warning"}, {"code", code}, {"message", message}}));
}

void RunLog::end(const RunSummary &run, std::string_view time) {
    Json rules = Json::object();
    for (const auto &[rule, outcomes] : run.rules) rules[rule] = named(outcomes);
    write_line(dump({{"event", "end"},
                     {"time", time},
                     {"seconds", run.seconds},
                     {"epochs", run.history.epochs.size()},
                     {"finished", run.finished},
                     {"rules", std::move(rules)}}));
}

} // namespace neurasp::runs
