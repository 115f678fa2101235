// Fablegrade for C++17: the functions of fablegrade.h with RAII owners, exceptions and string views.
//
//     fablegrade::Grader grader(R"({"type":"numeric","answer":{"value":42}})");
//     std::string result = grader.grade(R"({"type":"numeric","value":42})");
//
// Arguments are std::string_view (no pointer to them is kept); results are std::string. A call that fails throws
// fablegrade::Error with status, pointer, rule, help and all findings. A Grader is cheap to copy: copies share one
// compiled question, and any number of threads may use it concurrently. fablegrade.h describes each function.
#ifndef FABLEGRADE_HPP
#define FABLEGRADE_HPP

#include "fablegrade.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace fablegrade {

namespace detail {

/// Returns the start of a view. It is never NULL, because the library treats NULL as an absent argument.
inline const char *data(std::string_view view) noexcept { return view.data() != nullptr ? view.data() : ""; }

struct ErrorFree {
    void operator()(fg_error *error) const noexcept { fg_error_free(error); }
};

/// An output parameter that owns the string that is written to it.
class TextPlace {
public:
    fg_text **place() noexcept { return &raw_; }
    TextPlace() noexcept = default;
    TextPlace(const TextPlace &) = delete;
    TextPlace &operator=(const TextPlace &) = delete;
    ~TextPlace() { fg_text_free(raw_); }

    std::string string() {
        std::size_t length = 0;
        const char *bytes = fg_text_data(raw_, &length);
        return std::string(bytes, length);
    }

private:
    fg_text *raw_ = nullptr;
};

} // namespace detail

/// The reason for a failed call.
class Error : public std::runtime_error {
public:
    /// Takes ownership of an error of the library.
    explicit Error(fg_error *error) : Error(Owner(error, detail::ErrorFree())) {}

    /// Returns the status of the failed call; see fg_status.
    fg_status status() const noexcept { return fg_error_status(error_.get()); }
    /// Returns the location of the first error: a JSON pointer relative to the arguments.
    std::string_view pointer() const noexcept { return part(fg_error_pointer); }
    /// Returns the violated rule, such as "missing-field".
    std::string_view rule() const noexcept { return part(fg_error_rule); }
    /// Returns the message: the defect, in one sentence.
    std::string_view message() const noexcept { return part(fg_error_message); }
    /// Returns the help: how to correct the defect, in one sentence.
    std::string_view help() const noexcept { return part(fg_error_help); }
    /// Returns all findings, as JSON.
    std::string_view json() const noexcept { return part(fg_error_json); }
    /// Returns the number of findings.
    std::size_t count() const noexcept { return fg_error_count(error_.get()); }
    /// Returns a finding by its index; its strings are valid as long as this error or a copy exists.
    fg_finding finding(std::size_t index) const noexcept {
        fg_finding finding = {};
        fg_error_finding(error_.get(), index, &finding);
        return finding;
    }

private:
    // Shared, because an exception must be copyable without failing.
    using Owner = std::shared_ptr<fg_error>;

    explicit Error(Owner error) : std::runtime_error(describe(error.get())), error_(std::move(error)) {}

    static std::string describe(const fg_error *error) {
        std::string text = fg_status_name(fg_error_status(error));
        text += ' ';
        text += fg_error_pointer(error, nullptr);
        text += ": ";
        text += fg_error_message(error, nullptr);
        text += "; ";
        text += fg_error_help(error, nullptr);
        return text;
    }

    std::string_view part(const char *(*read)(const fg_error *, std::size_t *)) const noexcept {
        std::size_t length = 0;
        const char *bytes = read(error_.get(), &length);
        return {bytes, length};
    }

    Owner error_;
};

namespace detail {

/// Throws unless the status is FG_OK. The error is passed by reference, because evaluating the other argument sets it.
inline void check(fg_status status, fg_error *const &error) {
    if (status != FG_OK) {
        throw Error(error);
    }
}

} // namespace detail

/// The documents of one answer; give exactly one of submission and attempt.
struct Documents {
    std::optional<std::string_view> submission = {};
    std::optional<std::string_view> attempt = {};
    std::optional<std::string_view> outcomes = {};
    std::optional<std::string_view> context = {};
};

/// Returns a view of a string inside a result or a plan; nothing if there is no string.
inline std::optional<std::string_view> view(fg_string text) noexcept {
    return text.data == nullptr ? std::nullopt : std::optional(std::string_view(text.data, text.length));
}

/// A result that can be read field by field. Views are valid as long as the result exists.
class Result {
public:
    /// Reads an AttemptResult, as Grader::grade returns it.
    explicit Result(std::string_view result) {
        fg_error *error = nullptr;
        fg_result *read = nullptr;
        detail::check(fg_result_read(detail::data(result), result.size(), &read, &error), error);
        result_.reset(read);
    }

    /// Returns the verdict.
    fg_verdict verdict() const noexcept { return static_cast<fg_verdict>(fg_result_verdict(result_.get())); }
    /// Returns whether the submission still has to be graded.
    bool is_pending() const noexcept { return fg_result_is_pending(result_.get()); }
    /// Returns the score from 0 to 1, if there is one.
    std::optional<double> score() const noexcept { return number(fg_result_score); }
    /// Returns the score as canonical JSON.
    std::optional<std::string_view> score_text() const noexcept {
        return view(fg_result_score(result_.get(), nullptr));
    }
    /// Returns the penalty for hints, if there is one.
    std::optional<double> penalty() const noexcept { return number(fg_result_penalty); }
    /// Returns the number of messages for the learner.
    std::size_t feedback_count() const noexcept { return fg_result_feedback_count(result_.get()); }
    /// Returns a message for the learner.
    std::string_view feedback(std::size_t index) const noexcept {
        return view(fg_result_feedback(result_.get(), index, nullptr)).value_or(std::string_view());
    }
    /// Returns the kind of a message, one of fg_feedback.
    std::int32_t feedback_kind(std::size_t index) const noexcept {
        std::int32_t kind = 0;
        fg_result_feedback(result_.get(), index, &kind);
        return kind;
    }
    /// Returns the number of test cases.
    std::size_t case_count() const noexcept { return fg_result_case_count(result_.get()); }
    /// Returns a test case.
    fg_case_result test_case(std::size_t index) const noexcept {
        fg_case_result found = {};
        fg_result_case(result_.get(), index, &found);
        return found;
    }

private:
    struct Free {
        void operator()(fg_result *result) const noexcept { fg_result_free(result); }
    };

    std::optional<double> number(fg_string (*read)(const fg_result *, double *)) const noexcept {
        double value = 0;
        return read(result_.get(), &value).data == nullptr ? std::nullopt : std::optional(value);
    }

    std::unique_ptr<fg_result, Free> result_;
};

/// The cases to run for a submission; never show them to a learner. Views are valid as long as the
/// plan exists.
class Plan {
public:
    /// Plans the cases of a submission; the plan is empty if there is nothing to run.
    Plan(const fg_grader *grader, std::string_view submission) {
        fg_error *error = nullptr;
        fg_plan *plan = nullptr;
        detail::check(fg_plan_new(grader, detail::data(submission), submission.size(), &plan, &error), error);
        plan_.reset(plan);
    }

    /// Returns whether anything has to be run.
    explicit operator bool() const noexcept { return plan_ != nullptr; }
    /// Returns the language of the program.
    std::string_view language() const noexcept {
        return view(fg_plan_language(plan_.get())).value_or(std::string_view());
    }
    /// Returns the source of the program.
    std::string_view source() const noexcept {
        return view(fg_plan_source(plan_.get())).value_or(std::string_view());
    }
    /// Returns the way in which the program is called: "stdin_stdout" or "function".
    std::string_view harness_mode() const noexcept {
        return view(fg_plan_harness_mode(plan_.get())).value_or(std::string_view());
    }
    /// Returns the name of the function to call; nothing if the program reads standard input.
    std::optional<std::string_view> function_name() const noexcept { return view(fg_plan_function_name(plan_.get())); }
    /// Returns the memory limit of the program, in MiB.
    std::uint32_t memory_mb() const noexcept { return fg_plan_memory_mb(plan_.get()); }
    /// Returns the maximum size of the program's output per case, in KiB.
    std::uint32_t output_kb() const noexcept { return fg_plan_output_kb(plan_.get()); }
    /// Returns the number of cases.
    std::size_t size() const noexcept { return fg_plan_case_count(plan_.get()); }
    /// Returns a case.
    fg_case operator[](std::size_t index) const noexcept {
        fg_case run = {};
        fg_plan_case(plan_.get(), index, &run);
        return run;
    }

private:
    struct Free {
        void operator()(fg_plan *plan) const noexcept { fg_plan_free(plan); }
    };

    std::unique_ptr<fg_plan, Free> plan_;
};

/// A result and its explanation; the explanation is for authors only.
struct Explained {
    std::string result;
    std::string explanation;
};

/// A question that was checked and compiled once.
class Grader {
public:
    /// Compiles a question with its key.
    explicit Grader(std::string_view spec) {
        fg_error *error = nullptr;
        detail::check(fg_grader_new(detail::data(spec), spec.size(), &grader_, &error), error);
    }

    Grader(const Grader &other) noexcept : grader_(fg_grader_retain(other.grader_)) {}
    Grader(Grader &&other) noexcept : grader_(std::exchange(other.grader_, nullptr)) {}
    Grader &operator=(Grader other) noexcept {
        std::swap(grader_, other.grader_);
        return *this;
    }
    ~Grader() { fg_grader_free(grader_); }

    /// Returns the AttemptResult for a submission.
    std::string grade(std::string_view submission) const {
        detail::TextPlace result;
        fg_error *error = nullptr;
        detail::check(
            fg_grader_grade(grader_, detail::data(submission), submission.size(), result.place(), &error), error);
        return result.string();
    }

    /// Works like grade, but writes the result and a NUL into a buffer of `capacity` bytes. Returns the length of the
    /// result; if it is not less than `capacity`, the result did not fit.
    std::size_t grade_into(std::string_view submission, char *buffer, std::size_t capacity) const {
        std::size_t length = 0;
        fg_error *error = nullptr;
        fg_status status = fg_grader_grade_into(grader_, detail::data(submission), submission.size(), buffer, capacity,
                                                &length, &error);
        if (status == FG_BUFFER_TOO_SMALL) {
            fg_error_free(error);
        } else {
            detail::check(status, error);
        }
        return length;
    }

    /// Grades an answer with its context.
    std::string grade(const Documents &documents) const {
        detail::TextPlace result;
        explain_into(documents, result.place(), nullptr);
        return result.string();
    }

    /// Grades an answer and explains the score. The explanation can contain the key.
    Explained explain(const Documents &documents) const {
        detail::TextPlace result;
        detail::TextPlace explanation;
        explain_into(documents, result.place(), explanation.place());
        return {result.string(), explanation.string()};
    }

    /// Returns the cases to run, as JSON; nothing if there are none.
    std::optional<std::string> plan(std::string_view submission) const {
        detail::TextPlace plan;
        fg_error *error = nullptr;
        detail::check(fg_grader_plan(grader_, detail::data(submission), submission.size(), plan.place(), &error), error);
        if (*plan.place() == nullptr) {
            return std::nullopt;
        }
        return plan.string();
    }

    /// Returns the AttemptResult computed from the outcomes of the cases.
    std::string conclude(std::string_view submission, std::string_view outcomes) const {
        detail::TextPlace result;
        fg_error *error = nullptr;
        detail::check(fg_grader_conclude(grader_, detail::data(submission), submission.size(), detail::data(outcomes),
                                         outcomes.size(), result.place(), &error),
                      error);
        return result.string();
    }

    /// Returns the DeliveryView, shuffled by a seed.
    std::string deliver(std::string_view seed) const {
        detail::TextPlace view;
        fg_error *error = nullptr;
        detail::check(fg_grader_deliver(grader_, detail::data(seed), seed.size(), view.place(), &error), error);
        return view.string();
    }

    /// Returns the warnings about the question.
    std::string warnings() const {
        detail::TextPlace findings;
        fg_error *error = nullptr;
        detail::check(fg_grader_warnings(grader_, findings.place(), &error), error);
        return findings.string();
    }

    /// Returns the handle, for use with fablegrade.h; this object still owns it.
    const fg_grader *handle() const noexcept { return grader_; }

private:
    void explain_into(const Documents &documents, fg_text **result, fg_text **explanation) const {
        fg_documents raw = {};
        put(documents.submission, raw.submission, raw.submission_length);
        put(documents.attempt, raw.attempt, raw.attempt_length);
        put(documents.outcomes, raw.outcomes, raw.outcomes_length);
        put(documents.context, raw.context, raw.context_length);
        fg_error *error = nullptr;
        detail::check(fg_grader_explain(grader_, &raw, result, explanation, &error), error);
    }

    static void put(std::optional<std::string_view> view, const char *&data, std::size_t &length) noexcept {
        if (view) {
            data = detail::data(*view);
            length = view->size();
        }
    }

    fg_grader *grader_ = nullptr;
};

/// Compiles a question and grades one submission with it.
inline std::string grade(std::string_view spec, std::string_view submission) {
    detail::TextPlace result;
    fg_error *error = nullptr;
    detail::check(fg_grade(detail::data(spec), spec.size(), detail::data(submission), submission.size(),
                           result.place(), &error),
                  error);
    return result.string();
}

/// Returns the DeliveryView of a question, shuffled by a seed.
inline std::string deliver(std::string_view spec, std::string_view seed) {
    detail::TextPlace view;
    fg_error *error = nullptr;
    detail::check(
        fg_deliver(detail::data(spec), spec.size(), detail::data(seed), seed.size(), view.place(), &error), error);
    return view.string();
}

/// The findings about a question.
struct Findings {
    std::string json;
    std::size_t errors = 0;
};

/// Lints a question.
inline Findings lint(std::string_view spec) {
    detail::TextPlace findings;
    std::size_t errors = 0;
    fg_error *error = nullptr;
    detail::check(fg_lint(detail::data(spec), spec.size(), findings.place(), &errors, &error), error);
    return {findings.string(), errors};
}

/// Checks a document against its schema; throws if it is invalid.
inline void check(fg_schema schema, std::string_view document) {
    fg_error *error = nullptr;
    detail::check(fg_check(schema, detail::data(document), document.size(), &error), error);
}

/// Registers a validator for widgets in this process: a function from a request to an answer, both JSON, as described
/// at fg_validator. The function is kept until the process ends and is called from every thread that grades, possibly
/// concurrently. If it throws, the validator gives no answer.
inline void register_validator(std::string_view name, std::string_view messages,
                               std::function<std::string(std::string_view)> validator) {
    using Function = std::function<std::string(std::string_view)>;
    auto owned = std::make_unique<Function>(std::move(validator));
    const fg_validator ask = [](void *user_data, const char *request, std::size_t length, fg_answer *answer) {
        try {
            const std::string said = (*static_cast<Function *>(user_data))(std::string_view(request, length));
            fg_answer_set(answer, detail::data(said), said.size());
        } catch (...) {
            // The validator gives no answer.
        }
    };
    fg_error *error = nullptr;
    const fg_status status = fg_register_validator(detail::data(name), name.size(), detail::data(messages), messages.size(),
                                                   ask, owned.get(), &error);
    detail::check(status, error);
    (void)owned.release(); // the library keeps it
}

/// Returns the matcher by its name in questions.
inline fg_matcher matcher(std::string_view word) {
    std::int32_t number = 0;
    fg_error *error = nullptr;
    detail::check(fg_matcher_from_word(detail::data(word), word.size(), &number, &error), error);
    return static_cast<fg_matcher>(number);
}

/// A comparison and its report, as JSON.
struct Comparison {
    bool accepted = false;
    std::string report;
};

/// Compares a program's output with the expected output; the tolerance is a decimal number as a string.
inline Comparison match(fg_matcher matcher, std::string_view expected, std::string_view actual,
                        std::optional<std::string_view> tolerance = std::nullopt) {
    Comparison comparison;
    detail::TextPlace report;
    fg_error *error = nullptr;
    detail::check(fg_match(matcher, detail::data(expected), expected.size(), detail::data(actual), actual.size(),
                           tolerance ? detail::data(*tolerance) : nullptr, tolerance ? tolerance->size() : 0,
                           &comparison.accepted, report.place(), &error),
                  error);
    comparison.report = report.string();
    return comparison;
}

/// A decision about two expressions, and the same with its evidence and both readings, as JSON.
struct Equivalence {
    fg_equality equality = FG_EQUALITY_UNDECIDED;
    std::string decision;
};

/// Decides whether two LaTeX expressions are equal.
inline Equivalence equivalent(std::string_view a, std::string_view b,
                              std::optional<std::string_view> options = std::nullopt) {
    std::int32_t equality = FG_EQUALITY_UNDECIDED;
    detail::TextPlace decision;
    fg_error *error = nullptr;
    detail::check(fg_equivalent(detail::data(a), a.size(), detail::data(b), b.size(),
                                options ? detail::data(*options) : nullptr, options ? options->size() : 0, &equality,
                                decision.place(), &error),
                  error);
    return {static_cast<fg_equality>(equality), decision.string()};
}

/// Returns the version of the loaded library.
inline std::string_view version() noexcept { return fg_version(); }

/// Returns the version of the grading semantics.
inline std::uint32_t semantics_version() noexcept { return fg_semantics_version(); }

/// Describes the loaded build, as JSON: versions, languages of messages, standard validators.
inline std::string_view about() noexcept { return fg_about(); }

/// Copies a string of the library into a buffer, for programs that use both interfaces.
inline fg_status copy(const fg_text *text, char *buffer, std::size_t capacity, std::size_t *length) noexcept {
    return fg_text_copy(text, buffer, capacity, length, nullptr);
}

} // namespace fablegrade

#endif // FABLEGRADE_HPP
