// Tests of fablegrade.hpp: owners free their handles, copies share a grader, and thrown errors have a pointer.
#include "check.h"

#include "fablegrade.hpp"

#include <cstdio>
#include <thread>
#include <type_traits>
#include <vector>

namespace fg = fablegrade;

static_assert(std::is_nothrow_copy_constructible_v<fg::Grader>);
static_assert(std::is_nothrow_move_constructible_v<fg::Grader>);
static_assert(std::is_nothrow_copy_constructible_v<fg::Error>, "an exception must be copyable without failing");

template <typename Call> static void throws(fg_status status, const char *pointer, const char *rule, Call call) {
    try {
        call();
    } catch (const fg::Error &error) {
        fg::Error copy = error;
        if (copy.status() != status) {
            std::fprintf(stderr, "%s\n", copy.what());
        }
        CHECK(copy.status() == status);
        CHECK(copy.pointer() == pointer);
        CHECK(copy.rule() == rule);
        CHECK(!copy.message().empty() && !copy.help().empty());
        CHECK(copy.json().find(rule) != std::string_view::npos);
        CHECK(std::string(error.what()).find(fg_status_name(status)) == 0);
        return;
    }
    CHECK(!"it should have thrown");
}

int main() {
    CHECK(fg::version() == fg_version());
    CHECK(fg::semantics_version() == fg_semantics_version());

    fg::Grader grader(NUMERIC);
    std::string result = grader.grade(NUMERIC_RIGHT);
    CHECK(result == fg::grade(NUMERIC, NUMERIC_RIGHT));
    CHECK(result.find("\"verdict\":\"correct\"") != std::string::npos);
    CHECK(grader.warnings() == "[]");

    fg::Grader copy = grader;
    CHECK(copy.handle() == grader.handle());
    fg::Grader moved = std::move(copy);
    CHECK(moved.grade(NUMERIC_RIGHT) == result);
    throws(FG_NULL_ARGUMENT, "/grader", "null-argument", [&] { copy.grade(NUMERIC_RIGHT); });
    copy = moved;
    moved = fg::Grader(CODE);
    CHECK(copy.grade(NUMERIC_RIGHT) == result);

    char buffer[512];
    std::size_t length = grader.grade_into(NUMERIC_RIGHT, buffer, sizeof buffer);
    CHECK(length == result.size() && result == buffer);
    CHECK(grader.grade_into(NUMERIC_RIGHT, buffer, 3) == result.size());

    fg::Documents documents;
    documents.submission = NUMERIC_RIGHT;
    documents.context = R"({"hints":{"h1":0.25}})";
    fg::Explained explained = grader.explain(documents);
    CHECK(explained.result.find("\"score\":0.75") != std::string::npos);
    CHECK(explained.explanation.find("\"applied\":\"1/4\"") != std::string::npos);
    CHECK(grader.grade(documents) == explained.result);

    CHECK(!grader.plan(NUMERIC_RIGHT));
    std::optional<std::string> plan = moved.plan(CODE_SUBMISSION);
    CHECK(plan && plan->find("\"input\"") != std::string::npos);
    fg_grader *raw = nullptr;
    CHECK(fg_grader_new(CODE, strlen(CODE), &raw, nullptr) == FG_OK);
    fg::Plan fields(raw, CODE_SUBMISSION);
    fg_grader_free(raw);
    CHECK(fields && fields.harness_mode() == "stdin_stdout" && !fields.function_name());
    CHECK(fields.memory_mb() == 64 && fields.output_kb() == 16 && fields.size() == 2 && fields[1].case_index == 1);
    CHECK(moved.conclude(CODE_SUBMISSION, R"([{"suite":"sums","caseIndex":0,"end":"exited","stdout":"3\n"},
        {"suite":"sums","caseIndex":1,"end":"timeout"}])")
              .find("\"score\":0.5") != std::string::npos);

    CHECK(grader.deliver("7") == fg::deliver(NUMERIC, "7"));
    CHECK(grader.deliver(std::string_view()) == fg::deliver(NUMERIC, ""));
    CHECK(fg::lint("{}").errors == 1 && fg::lint(NUMERIC).errors == 0);
    fg::check(FG_SCHEMA_SUBMISSION, NUMERIC_RIGHT);

    CHECK(fg::match(fg::matcher("tokens"), "1 2", " 1\n2").accepted);
    CHECK(fg::match(FG_MATCHER_EXACT, std::string_view(), "").accepted);
    CHECK(!fg::match(FG_MATCHER_FLOAT_TOLERANCE, "1", "1.2", "0.1").accepted);
    CHECK(fg::equivalent("x+x", "2x").equality == FG_EQUALITY_EQUAL);
    CHECK(fg::equivalent("f(2x)", "f(x+x)", R"({"functions":["f"]})").decision.find("true") != std::string::npos);

    fg_text *text = nullptr;
    CHECK(fg_deliver(NUMERIC, strlen(NUMERIC), nullptr, 0, &text, nullptr) == FG_OK);
    CHECK(fg::copy(text, buffer, sizeof buffer, &length) == FG_OK && length == strlen(buffer));
    fg_text_free(text);

    throws(FG_BAD_SCHEMA, "/spec", "missing-field", [] { fg::Grader("{}"); });
    throws(FG_BAD_JSON, "/submission", "json-syntax", [&] { grader.grade(std::string_view()); });
    throws(FG_BAD_SCHEMA, "", "missing-field", [&] { grader.grade(fg::Documents()); });
    throws(FG_UNKNOWN_VALUE, "/matcher", "unknown-value", [] { fg::matcher("tokenz"); });
    throws(FG_BAD_EXPRESSION, "/b", "unreadable-expression", [] { fg::equivalent("x", "\\frac{1"); });

    std::vector<std::thread> threads;
    std::vector<std::string> results(4);
    for (std::string &place : results) {
        threads.emplace_back([grader, &place] { place = grader.grade(NUMERIC_RIGHT); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const std::string &found : results) {
        CHECK(found == result);
    }
    return finish("wrapper");
}
