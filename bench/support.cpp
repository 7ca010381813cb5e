// Runs clingo as a process, takes times, and prints results as JSON lines.
#include "support.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace neurasp::bench {

namespace {

double own_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of_children() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A file that is removed at the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string &text) {
        const int file = mkstemp(path_.data());
        if (file < 0) throw std::runtime_error("cannot create a temporary file");
        const auto written = write(file, text.data(), text.size());
        close(file);
        if (written != static_cast<ssize_t>(text.size())) throw std::runtime_error("cannot write");
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    const std::string &path() const { return path_; }

  private:
    std::string path_ = "/tmp/neurasp-bench-XXXXXX";
};

} // namespace

ClingoRun run_clingo(const std::string &program, const std::vector<std::string> &arguments) {
    const TemporaryFile file(program);
    std::string command = "clingo " + file.path();
    for (const std::string &argument : arguments) command += " '" + argument + "'";
    command += " 2>/dev/null";
    ClingoRun run;
    const double before = seconds_of_children();
    std::unique_ptr<FILE, int (*)(FILE *)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) throw std::runtime_error("cannot run clingo");
    char buffer[65536];
    for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) {
        run.output.append(buffer, size);
    }
    pipe.reset(); // waits for its end
    run.seconds = seconds_of_children() - before;
    return run;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

double median_seconds(int repetitions, const std::function<void()> &work) {
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const double before = own_seconds();
        work();
        times.push_back(own_seconds() - before);
    }
    return median(times);
}

void Report::add(const Result &result) {
    nlohmann::ordered_json line{{"name", result.name},       {"ours_ms", result.ours * 1e3},
                                {"clingo_ms", nullptr},      {"clingo_by_ours", nullptr},
                                {"correct", result.correct}, {"detail", result.detail}};
    if (result.clingo > 0.0) {
        line["clingo_ms"] = result.clingo * 1e3;
        line["clingo_by_ours"] = result.clingo / result.ours;
    }
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
    failed_ = failed_ || !result.correct;
}

} // namespace neurasp::bench
