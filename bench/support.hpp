// Shared by the benchmarks: running the clingo binary in the same run, timing, and reporting as JSON lines. A
// benchmark checks its own results and exits with 1 if one is wrong; it never judges times. Times are processor
// times, user and system, so that other work on the machine hardly affects them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace neurasp::bench {

struct ClingoRun {
    double seconds = 0.0; // process start included
    std::string output;
};

// Runs `clingo - ARGUMENTS` with `program` on its standard input.
ClingoRun run_clingo(const std::string &program, const std::vector<std::string> &arguments);

// The median time of `repetitions` calls.
double median_seconds(int repetitions, const std::function<void()> &work);
double median(std::vector<double> values);

// One result. `ratio` is clingo's time divided by ours: above 1, we are faster.
struct Result {
    std::string name;
    double ours = 0.0;   // seconds
    double clingo = 0.0; // seconds; 0 if there is nothing to compare with
    bool correct = true;
    std::string detail;
};

// Prints results as JSON lines and remembers whether all were correct.
class Report {
  public:
    void add(const Result &result);
    int exit_code() const { return failed_ ? 1 : 0; }

  private:
    bool failed_ = false;
};

} // namespace neurasp::bench
