// Prepares observations: reads, grounds and drafts them one by one, and has them compiled by a pool.
//
// The idea. A training set has many examples and far fewer different observations. Each different text gets an id, and
// is prepared once. The calling thread goes through the new ones: it asks the reasoner, which reads and grounds, lists
// the random variables, and drafts (translates the rules, or lists few models). Drafts go to the CompilePool; finished
// jobs are collected in between, and what is left of a job is its circuit and a table of where its inputs come from
// (prepared.hpp). Questions and their ground programs are dropped as soon as possible: the reasoner forgets after every
// 64 questions and at the end.
//
// Determinism. Ids are given out in the order in which texts occur, before anything is compiled. Statistics are sums
// and maxima. If several jobs fail, the exception of the lowest id wins. So nothing depends on which thread was faster.
//
// Limits. The caller's time is the budget of the whole preparation; each observation may have a limit of its own
// (`compile_seconds`, processor time), which covers drafting and compiling. An observation that runs into its own limit is
// finished and has no circuit; one that runs into the caller's is not finished, and the next call tries it again. After a
// mistake in one observation, waiting jobs are dropped, running ones are finished and kept, and then the exception is
// thrown. Compilations that ran out of time in an earlier call are forgotten first.
//
// Progress. Budgets of parts would report their own phases, so a ProgressMeter reports how many observations are done.
//
// Invariants. Only the calling thread touches the workshop; the pool, declared last, sees jobs and ends before what it
// uses.
//
// Families. Observations of one kind share a grounding, and a circuit if that pays, if enough of them are known
// (family_planner.hpp). Until it knows what one costs without a family, the next is prepared at once, as a sample.
//
// Cost. On its own, an observation of constraints extends the grounding that is there, and one with facts is grounded
// anew. From a shared grounding, it costs about as much as its own rules; in a family, microseconds.
#include "training/preparation.hpp"

#include "inference/access.hpp"
#include "training/compile_pool.hpp"
#include "training/kind_statistics.hpp"
#include "training/progress_meter.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace neurasp::training {

namespace {

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
        auto job = std::make_unique<Job>(draft(i));
        if (!workshop_.options.circuits) {
            keep(*job);
            return;
        }
        pool_.add(std::move(job));
        while (pool_.is_full() && !is_over()) pool_.help(base::Budget(limits_left()));
        collect();
    }

    KindStatistics &kind_of(std::size_t i) {
        constexpr std::uint32_t others = ~std::uint32_t{0};
        KindStatistics &kind = workshop_.kinds[parted_[i] ? parted_[i]->kind : others];
        if (kind.example.empty()) kind.example = filled_text(observations_[i]);
        return kind;
    }

    SharingContext sharing() const {
        return {workshop_.program, workshop_.families.parts(), workshop_.library, workshop_.options,
                workshop_.program_rules};
    }

    // Whether the observation was prepared in a family, or as a sample of its kind.
    bool join_family(std::size_t i) {
        const KindTimer timer(kind_of(i));
        FamilyPlanner &families = workshop_.families;
        const std::uint32_t kind = parted_[i]->kind;
        auto found = families.find(*parted_[i]);
        if (found.family == nullptr && !tried_.contains(kind)) {
            share_grounding(kind);
            if (families.wants_samples(kind)) {
                prepare_sample(i);
                return true;
            }
            tried_.insert(kind);
            if (grow_family(i)) found = families.find(*parted_[i]);
            kind_of(i).refusal = families.refusal(kind);
        }
        if (found.family == nullptr) return false;
        KindStatistics &statistics = kind_of(i);
        ++workshop_.statistics.in_families;
        ++statistics.in_families;
        if (found.family->direct()) ++statistics.direct;
        keep(i, found.family->prepare(found.place));
        return true;
    }

    void share_grounding(std::uint32_t number) {
        base::Budget budget(limits_left());
        const SharedKind *kind = workshop_.families.share(number, sharing(), limits_left(), budget);
        if (kind == nullptr) return;
        workshop_.warnings.note(kind->question());
        workshop_.vocabulary.meet(*kind->variables());
    }

    bool grow_family(std::size_t i) {
        base::Budget budget(limits_left());
        Family *family =
            workshop_.families.grow(parted_[i]->kind, sharing(), limits_left(), budget);
        if (family == nullptr) return false;
        family->meet(workshop_.vocabulary);
        ++workshop_.statistics.families;
        KindStatistics &statistics = kind_of(i);
        ++statistics.families;
        statistics.family_edges = std::max(statistics.family_edges, family->edges());
        return true;
    }

    // Prepares an observation at once, because the next decision depends on what that costs.
    void prepare_sample(std::size_t i) {
        const std::uint64_t fixpoints_before = workshop_.families.fixpoints(parted_[i]->kind);
        Job job = draft(i);
        compile(job, base::Budget(limits_left()));
        if (job.failure) std::rethrow_exception(job.failure);
        if (job.interrupted) return;
        workshop_.families.add_sample(parted_[i]->kind, *job.parts.compilation, fixpoints_before);
        keep(job);
    }

    // Reads, grounds and translates an observation, together with others of its kind or on its own.
    Job draft(std::size_t i) {
        constexpr std::size_t questions_between = 64;
        if (started_.size() % questions_between == 0) workshop_.reasoner.forget();
        const KindTimer timer(kind_of(i));
        if (parted_[i]) {
            if (auto job = draft_shared(i)) return std::move(*job);
        }
        Job job;
        job.place = i;
        job.parts = asked(i);
        if (!workshop_.options.circuits) return job;
        refuse_learnable(workshop_.vocabulary, *job.parts.variables);
        draft_into(job, [&](base::Budget &budget) {
            return inference::draft_question(*job.parts.question,
                                             compile_settings(workshop_.options), limits_, budget);
        });
        return job;
    }

    // Nothing if the observation does not share a grounding, or has no circuit for a reason other than limits.
    std::optional<Job> draft_shared(std::size_t i) {
        const FamilyPlanner::Shared shared = workshop_.families.find_shared(*parted_[i]);
        if (!shared.kind) return std::nullopt;
        forget_failures();
        Job job;
        job.place = i;
        job.shared = shared.kind;
        job.parts.question = shared.kind->question();
        job.parts.variables = shared.kind->variables();
        draft_into(job, [&](base::Budget &budget) {
            return shared.kind->grounding().draft(
                shared.statements, compile_settings(workshop_.options), limits_, budget);
        });
        const bool impossible = job.draft->complete() && !job.draft->failed &&
                                !job.draft->circuit.entry->circuit &&
                                !job.draft->circuit.entry->is_limit;
        if (impossible) return std::nullopt;
        return job;
    }

    // The question about an observation on its own.
    Parts asked(std::size_t i) {
        Parts parts;
        parts.question = workshop_.reasoner.ask(
            as_asked(filled_text(observations_[i]), observations_[i].name), {}, limits_left());
        workshop_.warnings.note(*parts.question);
        parts.variables =
            std::make_shared<const std::vector<RandomVariableInfo>>(parts.question->variables());
        workshop_.vocabulary.meet(*parts.variables);
        forget_failures();
        return parts;
    }

    void forget_failures() {
        if (started_.size() == 1) workshop_.library->forget_failures();
    }

    template <class Make> void draft_into(Job &job, const Make &make) {
        job.seconds = workshop_.options.compile_seconds;
        const double begin = base::thread_seconds();
        base::Budget budget(limits_left());
        if (job.seconds) budget = budget.with_seconds(*job.seconds);
        job.draft = make(budget);
        if (job.seconds) {
            job.seconds = std::max(0.0, *job.seconds - (base::thread_seconds() - begin));
        }
    }

    void collect() {
        for (const auto &job : pool_.done()) {
            if (job->failure) {
                note_failure(job->place, job->failure);
            } else if (!job->interrupted) {
                keep(*job);
            }
        }
    }

    // Its models are enumerated in every step, so it needs a question of its own. False if the time is over.
    bool ask_anew(Job &job) {
        const KindTimer timer(kind_of(job.place));
        try {
            Parts own = asked(job.place);
            own.compilation = std::move(job.parts.compilation);
            job.parts = std::move(own);
            return true;
        } catch (const LimitError &) {
            if (!is_over()) note_failure(job.place, std::current_exception());
            return false;
        }
    }

    void note_failure(std::size_t place, const std::exception_ptr &failure) {
        if (!failure_ || ids_[place] < failed_) failure_ = failure;
        failed_ = std::min(failed_, ids_[place]);
    }

    void keep(Job &job) {
        const bool enumerates = workshop_.options.circuits && !job.parts.program;
        if (job.shared && enumerates && !ask_anew(job)) return;
        KindStatistics &statistics = kind_of(job.place);
        statistics.processor_seconds += job.compile_seconds;
        (job.shared ? statistics.grounded_together : statistics.alone) += 1;
        if (job.shared) ++workshop_.statistics.grounded_together;
        keep(job.place, {std::make_shared<const Prepared>(
                             put_together(std::move(job.parts), workshop_.vocabulary,
                                          workshop_.options.method != GradientMethod::exact)),
                         {}});
    }

    void keep(std::size_t i, ObservationTable::Entry entry) {
        const PreparedObservation &facts = entry.prepared->facts;
        count(facts, workshop_.options.circuits && !facts.has_circuit, workshop_.statistics,
              kind_of(i));
        workshop_.observations.put(ids_[i], std::move(entry));
        done_ += places_.at(ids_[i]);
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
    ObservationId failed_{std::numeric_limits<std::uint32_t>::max()}; // that id
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
