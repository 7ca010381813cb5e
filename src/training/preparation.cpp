#include "training/preparation.hpp"

#include "inference/access.hpp"
#include "training/compile_pool.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace neurasp::training {

namespace {

// Reports how many observations are done, at most ten times a second, whatever the caller works on.
class ProgressMeter {
  public:
    ProgressMeter(const Limits &limits, std::size_t total) : limits_(limits), total_(total) {}

    void set_done(std::size_t done) { done_ = done; }
    void look() {
        constexpr std::chrono::milliseconds between{100};
        const auto now = base::Clock::now();
        if (!limits_.on_progress || now < next_) return;
        next_ = now + between;
        Progress progress;
        progress.phase = Phase::preparing;
        progress.done = done_;
        progress.total = total_;
        progress.seconds = std::chrono::duration<double>(now - begin_).count();
        limits_.on_progress(progress);
    }

  private:
    const Limits &limits_;
    std::size_t total_;
    std::size_t done_ = 0;
    base::Clock::time_point begin_ = base::Clock::now();
    base::Clock::time_point next_ = begin_;
};

CompileSettings compile_settings(const TrainingOptions &options) {
    CompileSettings settings;
    settings.optimal = options.optimal;
    settings.smooth = true;
    settings.circuit_folder = options.circuit_folder;
    return settings;
}

std::vector<Observation> as_asked(const std::string &text, const std::string &name) {
    if (text.empty()) return {};
    return {{text, {}, name}};
}

class Preparation {
  public:
    Preparation(Workshop &workshop, std::span<const Observation> observations, const Limits &limits)
        : workshop_(workshop), observations_(observations), limits_(limits),
          whole_(without_progress(limits)), meter_(limits, observations.size()),
          pool_(thread_count(workshop.options), whole_) {
        for (const Observation &observation : observations) {
            ids_.push_back(workshop.observations.id_of(filled_text(observation)));
            ++places_[ids_.back()];
            if (is_prepared(ids_.back())) ++done_;
        }
        meter_.set_done(done_);
    }

    std::vector<ObservationId> run() {
        try {
            for (std::size_t i = 0; i < observations_.size() && !failure_ && !is_over(); ++i)
                start(i);
        } catch (const LimitError &) {
            if (!is_over()) abandon();
        } catch (...) {
            abandon();
        }
        finish();
        return done_ids();
    }

  private:
    static Limits without_progress(Limits limits) {
        limits.on_progress = nullptr;
        return limits;
    }
    bool is_over() { return whole_.exhausted(); }
    bool is_prepared(ObservationId id) const { return workshop_.observations.find(id) != nullptr; }

    // What is left of the caller's limits; whatever runs within them looks at our progress.
    Limits limits_left() {
        Limits left = limits_;
        if (limits_.seconds) left.seconds = whole_.seconds_left();
        left.models.reset();
        if (limits_.on_progress) left.on_progress = [this](const Progress &) { meter_.look(); };
        return left;
    }

    // Keeps what is done, then throws what is being handled.
    [[noreturn]] void abandon() {
        pool_.drop_waiting();
        const std::exception_ptr mistake = std::current_exception();
        finish();
        std::rethrow_exception(mistake);
    }

    void start(std::size_t i) {
        meter_.look();
        if (is_prepared(ids_[i]) || !started_.insert(ids_[i]).second) return;
        auto job = std::make_unique<Job>(
            draft(ids_[i], filled_text(observations_[i]), observations_[i].name));
        if (!workshop_.options.circuits) {
            keep(*job);
            return;
        }
        pool_.add(std::move(job));
        while (pool_.is_full() && !is_over()) pool_.help(base::Budget(limits_left()));
        collect();
    }

    Job draft(ObservationId id, const std::string &text, const std::string &name) {
        constexpr std::size_t questions_between = 64;
        if (started_.size() % questions_between == 0) workshop_.reasoner.forget();
        Question question = workshop_.reasoner.ask(as_asked(text, name), {}, limits_left());
        workshop_.warnings.note(question);
        auto variables = question.variables();
        workshop_.vocabulary.meet(variables);
        if (started_.size() == 1) {
            // what ran out of time before is tried again, whatever the time is now
            internal::Access::state(question).library->forget_failures();
        }
        Job job{id.value, {std::move(question), std::move(variables), {}, {}}, {}, {}, false, {}};
        if (!workshop_.options.circuits) return job;
        refuse_learnable(workshop_.vocabulary, job.parts.variables);
        job.seconds = workshop_.options.compile_seconds;
        const double begin = base::thread_seconds();
        base::Budget budget(limits_left());
        if (job.seconds) budget = budget.with_seconds(*job.seconds);
        job.draft = inference::draft_question(job.parts.question,
                                              compile_settings(workshop_.options), limits_, budget);
        if (job.seconds) {
            job.seconds = std::max(0.0, *job.seconds - (base::thread_seconds() - begin));
        }
        return job;
    }

    void collect() {
        for (const auto &job : pool_.done()) {
            if (job->failure) {
                if (!failure_ || job->id < failed_) failure_ = job->failure;
                failed_ = std::min(failed_, job->id);
            } else if (!job->interrupted) {
                keep(*job);
            }
        }
    }

    void keep(Job &job) {
        const TrainingOptions &options = workshop_.options;
        TrainingStatistics &statistics = workshop_.statistics;
        Prepared prepared = put_together(std::move(job.parts), workshop_.vocabulary,
                                         options.method != GradientMethod::exact);
        ++statistics.observations;
        if (options.circuits && !prepared.facts.has_circuit) ++statistics.without_circuit;
        statistics.largest_circuit = std::max(statistics.largest_circuit, prepared.facts.edges);
        workshop_.observations.put(ObservationId{job.id}, std::move(prepared));
        done_ += places_.at(ObservationId{job.id});
        meter_.set_done(done_);
    }

    // Compiles what was drafted, unless a limit says no.
    void finish() {
        while (pool_.is_busy()) {
            if (failure_ || is_over()) pool_.drop_waiting();
            if (!pool_.help(base::Budget(limits_left()))) pool_.wait();
            collect();
            meter_.look();
        }
        // a prepared observation needs its question no more, and a question keeps a ground program
        if (!started_.empty()) workshop_.reasoner.forget();
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    // Up to the first that is not done.
    std::vector<ObservationId> done_ids() const {
        const auto end = std::find_if(ids_.begin(), ids_.end(),
                                      [&](ObservationId id) { return !is_prepared(id); });
        return {ids_.begin(), end};
    }

    Workshop &workshop_;
    std::span<const Observation> observations_;
    const Limits &limits_;
    base::Budget whole_;
    ProgressMeter meter_;
    std::vector<ObservationId> ids_;
    std::map<ObservationId, std::size_t> places_; // how often it is among the observations
    std::size_t done_ = 0;                        // of the observations
    std::set<ObservationId> started_;
    std::exception_ptr failure_; // of a job: the first of those that failed
    std::uint32_t failed_ = std::numeric_limits<std::uint32_t>::max(); // its id
    CompilePool pool_; // last: its threads end first
};

} // namespace

std::vector<ObservationId> prepare(Workshop &workshop, std::span<const Observation> observations,
                                   const Limits &limits) {
    const auto begin = base::Clock::now();
    const auto add_seconds = [&] {
        workshop.statistics.prepare_seconds +=
            std::chrono::duration<double>(base::Clock::now() - begin).count();
    };
    try {
        auto ids = Preparation(workshop, observations, limits).run();
        add_seconds();
        return ids;
    } catch (...) {
        add_seconds();
        throw;
    }
}

} // namespace neurasp::training
