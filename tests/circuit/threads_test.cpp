// translate() and compile() share nothing between calls: several threads at once make the same circuits as one
// thread. ThreadSanitizer checks more here than the comparison does.
#include "circuit/circuit_text.hpp"
#include "circuit/compiler.hpp"
#include "circuit/theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

namespace neurasp::circuit::test {
namespace {

constexpr std::size_t thread_count = 4;

// The circuit of a program and its evidence, as text.
struct Job {
    std::shared_ptr<const Example> example;
    std::vector<std::string> evidence;
    Below below = Below::ratios;

    std::string circuit() const {
        const Translation translated = translate(example->input(evidence));
        base::Budget budget;
        const CompilerResult result = compile(translated.theory.value(), below, {}, budget);
        return write_circuit(result.circuit.value());
    }
};

std::vector<std::string> digit(const std::string &name) {
    std::vector<std::string> outcomes;
    for (int d = 0; d < 6; ++d) outcomes.push_back(name + "(" + std::to_string(d) + ")");
    return outcomes;
}

std::vector<Job> make_jobs() {
    const auto sums = std::make_shared<const Example>(
        "{x(0..5)}. {y(0..5)}. {z(0..5)}. sum(A+B+C) :- x(A), y(B), z(C).",
        std::vector{digit("x"), digit("y"), digit("z")});
    std::string graph = "{e(1..9,t;1..9,f)}. r(1). link(N,N+1,N) :- N=1..8. link(9,1,9).";
    graph += "r(B) :- r(A), link(A,B,E), e(E,t). r(A) :- r(B), link(A,B,E), e(E,t).";
    std::vector<std::vector<std::string>> edges;
    for (int e = 1; e <= 9; ++e) {
        const std::string number = std::to_string(e);
        edges.push_back({"e(" + number + ",t)", "e(" + number + ",f)"});
    }
    const auto reach = std::make_shared<const Example>(graph, edges);
    const auto open = std::make_shared<const Example>(
        "{coin(1;2)}. {free(1..4)}. a :- free(1), coin(1). b :- not c. c :- not b, coin(2)."
        "d :- a, b. d :- free(2), free(3).",
        std::vector<std::vector<std::string>>{{"coin(1)", "coin(2)"}});
    std::vector<Job> jobs;
    for (int s = 1; s < 15; ++s) jobs.push_back({sums, {"sum(" + std::to_string(s) + ")"}});
    for (int node = 2; node < 10; ++node) {
        jobs.push_back({reach, {"r(" + std::to_string(node) + ")"}});
        jobs.push_back({reach, {"not r(" + std::to_string(node) + ")"}});
    }
    for (const Below below : {Below::ratios, Below::models}) {
        for (const char *evidence : {"a", "b", "d", "not d"})
            jobs.push_back({open, {evidence}, below});
    }
    return jobs;
}

TEST(Threads, MakeTheSameCircuitsAsOneThread) {
    const std::vector<Job> jobs = make_jobs();
    std::vector<std::string> expected;
    for (const Job &job : jobs) expected.push_back(job.circuit());
    std::array<std::vector<std::string>, thread_count> made;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < thread_count; ++t) {
        threads.emplace_back([&, t] {
            // each thread begins elsewhere, so that equal and different theories are compiled at the same time
            for (std::size_t i = 0; i < jobs.size(); ++i) {
                made[t].push_back(jobs[(i + t / 2 * 7) % jobs.size()].circuit());
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    for (std::size_t t = 0; t < thread_count; ++t) {
        std::vector<std::string> wanted = expected;
        std::rotate(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(t / 2 * 7),
                    wanted.end());
        EXPECT_EQ(made[t], wanted) << "thread " << t;
    }
}

} // namespace
} // namespace neurasp::circuit::test
