// The programs used by the tests of the command.
#pragma once

namespace neurasp::test {

inline constexpr auto coin = R"(
0.1 : coin=head | 0.9 : coin=tail.
win :- coin(head).
#show coin/1.
#show win/0.
)";

// Two variables of three outcomes: nine total choices, one stable model each.
inline constexpr auto addition = R"(
img(i1). img(i2).
nn(digit(1,X), [0,1,2]) :- img(X).
sum(N) :- digit(0,i1,A), digit(0,i2,B), N = A+B.
#show sum/1.
#show digit/3.
)";
inline constexpr auto digits = R"({"digit": {"i1": [[0.2, 0.3, 0.5]], "i2": [[0.6, 0.3, 0.1]]}})";

// The total choice with both coins on heads has no stable model.
inline constexpr auto incoherent = R"(
0.5 : a. 0.5 : b.
:- a, b.
#show a/0. #show b/0.
)";

// 2^40 stable models.
inline constexpr auto endless = R"(
0.5 : flip(X) :- X = 1..40.
#show flip/1.
)";

// One total choice with two stable models of different cost.
inline constexpr auto costly = R"(
1 : c=v | 0 : c=w.
{cheap}.
:~ not cheap. [3@2]
:~ cheap. [1@1]
#show cheap/0.
)";

} // namespace neurasp::test
