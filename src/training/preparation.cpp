// Prepares observations: reads, grounds and drafts them one by one, and has them compiled by a pool.
//
// The idea. A training set has many examples and far fewer different observations. Each different text gets an id, and
// is prepared once. The calling thread goes through the new ones: it asks the reasoner, which reads and grounds, lists the
// random variables, and drafts (translates the rules, or lists few models). Drafts go to the CompilePool; finished jobs are
// collected in between, and what is left of a job is its circuit and a table of where its inputs come from
// (prepared.hpp). Questions and their ground programs are dropped as soon as possible: the reasoner forgets after every
// 64 questions and at the end.
//
// Determinism. Ids are given out in the order in which texts occur, before anything is compiled. Statistics are sums and
// maxima. If several jobs fail, the exception of the lowest id wins. So nothing depends on which thread was faster.
//
// Limits. The caller's time is the budget of the whole preparation; each observation may have a limit of its own
// (`compile_seconds`), which covers drafting and compiling and counts processor time. An observation that runs into its
// own limit is finished and has no circuit; one that runs into the caller's is not finished, and the next call tries
// it again. After a mistake in one observation, waiting jobs are dropped, running ones are finished and kept, and then
// the exception is thrown. Compilations that ran out of time in an earlier call are forgotten first, so that they are
// tried again.
//
// Progress. The budgets of parts would report their own phases, so they report to a ProgressMeter instead, which
// reports to the caller how many observations are done.
//
// Invariants. Only the calling thread touches the workshop; the pool sees jobs. The pool is declared last, so its threads end
// before anything that they use.
//
// Families. Observations of one kind are prepared from one circuit if enough of them are known (family_planner.hpp). Until
// the planner knows what one of them costs on its own, the next is prepared at once, as a sample.
//
// Cost. On its own, an observation of constraints extends the grounding that is there, and one with facts is grounded
// anew. In a family, it costs microseconds.
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

// Reports how many observations are done, at most ten times a second.
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
            take_apart();
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

    // The rest of the caller's limits. Work that runs within them reports our progress instead of its own.
    Limits limits_left() {
        Limits left = limits_;
        if (limits_.seconds) left.seconds = whole_.seconds_left();
        left.models.reset();
        if (limits_.on_progress) left.on_progress = [this](const Progress &) { meter_.look(); };
        return left;
    }

    // Keeps finished observations, then rethrows the current exception.
    [[noreturn]] void abandon() {
        pool_.drop_waiting();
        const std::exception_ptr mistake = std::current_exception();
        finish();
        std::rethrow_exception(mistake);
    }

    void take_apart() {
        parted_.resize(observations_.size());
        if (!workshop_.options.circuits) return;
        std::set<ObservationId> seen;
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            if (is_prepared(ids_[i]) || !seen.insert(ids_[i]).second) continue;
            parted_[i] = workshop_.families.take_apart(filled_text(observations_[i]));
            if (parted_[i]) workshop_.families.note(*parted_[i], observations_[i].name);
        }
    }

    void start(std::size_t i) {
        meter_.look();
        if (is_prepared(ids_[i]) || !started_.insert(ids_[i]).second) return;
        if (parted_[i] && join_family(i)) return;
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

    // Whether the observation was prepared in a family, or as a sample of its kind.
    bool join_family(std::size_t i) {
        FamilyPlanner &families = workshop_.families;
        auto found = families.find(*parted_[i]);
        if (found.family == nullptr && !tried_.contains(parted_[i]->kind)) {
            if (families.wants_samples(parted_[i]->kind)) {
                prepare_sample(i);
                return true;
            }
            tried_.insert(parted_[i]->kind);
            if (grow_family(parted_[i]->kind)) found = families.find(*parted_[i]);
        }
        if (found.family == nullptr) return false;
        ++workshop_.statistics.in_families;
        keep(ids_[i], found.family->prepare(found.place));
        return true;
    }

    bool grow_family(std::uint32_t kind) {
        base::Budget budget(limits_left());
        Family *family = workshop_.families.grow(
            kind,
            {workshop_.program, workshop_.families.parts(), workshop_.library, workshop_.options},
            limits_left(), budget);
        if (family == nullptr) return false;
        workshop_.warnings.note(family->question());
        workshop_.vocabulary.meet(family->variables());
        family->meet(workshop_.vocabulary);
        ++workshop_.statistics.families;
        return true;
    }

    // Prepares an observation on its own, at once, because the next decision depends on what that costs.
    void prepare_sample(std::size_t i) {
        Job job = draft(ids_[i], filled_text(observations_[i]), observations_[i].name);
        const std::size_t rules = parted_[i]->facts.empty()
                                      ? 0
                                      : internal::Access::state(job.parts.question)
                                            .scope->grounding()
                                            .rules()
                                            .rule_count();
        compile(job, base::Budget(limits_left()));
        if (job.failure) std::rethrow_exception(job.failure);
        if (job.interrupted) return;
        const auto &circuit = job.parts.compilation->circuit;
        workshop_.families.add_sample(parted_[i]->kind,
                                      circuit ? work_of(circuit->statistics(), rules) : 0);
        keep(job);
    }

    Job draft(ObservationId id, const std::string &text, const std::string &name) {
        constexpr std::size_t questions_between = 64;
        if (started_.size() % questions_between == 0) workshop_.reasoner.forget();
        Question question = workshop_.reasoner.ask(as_asked(text, name), {}, limits_left());
        workshop_.warnings.note(question);
        auto variables = question.variables();
        workshop_.vocabulary.meet(variables);
        if (started_.size() == 1) {
            // compilations that ran out of time in an earlier call are tried again
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
        keep(ObservationId{job.id}, {std::make_shared<const Prepared>(put_together(
                                         std::move(job.parts), workshop_.vocabulary,
                                         workshop_.options.method != GradientMethod::exact)),
                                     {}});
    }

    void keep(ObservationId id, ObservationTable::Entry entry) {
        TrainingStatistics &statistics = workshop_.statistics;
        const PreparedObservation &facts = entry.prepared->facts;
        ++statistics.observations;
        if (workshop_.options.circuits && !facts.has_circuit) ++statistics.without_circuit;
        statistics.largest_circuit = std::max(statistics.largest_circuit, facts.edges);
        workshop_.observations.put(id, std::move(entry));
        done_ += places_.at(id);
        meter_.set_done(done_);
    }

    // Compiles the drafts that are left, unless a limit is reached.
    void finish() {
        while (pool_.is_busy()) {
            if (failure_ || is_over()) pool_.drop_waiting();
            if (!pool_.help(base::Budget(limits_left()))) pool_.wait();
            collect();
            meter_.look();
        }
        // prepared observations do not need their questions, which keep ground programs alive
        if (!started_.empty()) workshop_.reasoner.forget();
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    // The ids up to the first observation that is not prepared.
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
    std::map<ObservationId, std::size_t> places_; // how often each occurs among the observations
    std::size_t done_ = 0;                        // number of observations that are prepared
    std::set<ObservationId> started_;
    std::vector<std::optional<PartedObservation>> parted_; // by observation; of those that are new
    std::set<std::uint32_t> tried_; // kinds for which a family was tried in this call
    std::exception_ptr failure_;    // of the failed job with the lowest id
    std::uint32_t failed_ = std::numeric_limits<std::uint32_t>::max(); // that id
    CompilePool pool_; // last, so that its threads end first
};

} // namespace

void expect(Workshop &workshop, std::span<const Observation> observations) {
    for (const Observation &observation : observations) {
        const std::string text = filled_text(observation);
        const auto parted = workshop.families.take_apart(text);
        if (!parted) {
            workshop.warnings.expect(inference::brought_by(workshop.program, text));
            continue;
        }
        if (workshop.options.circuits) workshop.families.note(*parted, observation.name);
        for (const inference::PartId fact : parted->facts) {
            if (!workshop.expected.insert(fact).second) continue;
            workshop.warnings.expect(
                inference::brought_by(workshop.program, workshop.families.parts().part(fact).text));
        }
    }
}

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
