// Programs of every kind; the clingo binary counts their stable models.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace neurasp::asp::test {

inline const std::vector<std::pair<std::string, std::string>> &programs() {
    static const std::vector<std::pair<std::string, std::string>> all{
        {"empty", ""},
        {"facts", "a. b(1..3). c(X) :- b(X), X != 2."},
        {"inconsistent", "a. -a."},
        {"choices", "{a; b; c}. d :- a, not b. :- c, d."},
        {"even and odd loops", "a :- not b. b :- not a. c :- not d. d :- not c. p :- a, c, not p."},
        {"queens", "1 {q(I,J) : J=1..6} 1 :- I=1..6. :- q(I,J), q(K,J), I<K. "
                   ":- q(I,J), q(K,L), I<K, |J-L|=K-I."},
        {"Hamiltonian cycles", "v(1..5). {h(X,Y) : v(Y), X != Y} = 1 :- v(X). "
                               ":- v(Y), {h(X,Y) : v(X)} != 1. "
                               "r(1). r(Y) :- r(X), h(X,Y). :- v(X), not r(X)."},
        {"reachability", "e(1,2;2,3;3,1;3,4;4,3). {in(X,Y)} :- e(X,Y). r(1,Y) :- in(1,Y). "
                         "r(1,Z) :- r(1,Y), in(Y,Z). :- not r(1,4)."},
        {"sums with negative weights",
         "{a; b; c; d}. :- #sum{3:a; -2:b; 4,x:c; -5:d} > 1. e :- #sum{-1:a; 2:d} < 0."},
        {"count, min and max", "{p(1..5)}. :- #count{X:p(X)} != 3. m(M) :- M = #min{X:p(X)}. "
                               ":- #max{X:p(X)} < 4. :- m(2)."},
        {"a recursive aggregate", "{s}. a :- #sum{2:b; 1:s} >= 1. b :- #sum{1:a; 1:s} >= 2."},
        {"an aggregate that is not monotone",
         "a :- #sum{1:a; -1:b} >= 0. b :- #sum{1:b; -1:a} >= 0."},
        {"disjunction", "a | b | c. d | e :- a. :- c, not x. {x}."},
        {"disjunction with head cycles", "a | b. a :- b. b :- a. c | d :- a. {z}. :- z, d."},
        {"saturation", // for which x is (y or z) and (x or not y) and not z valid for all y, z
         "{x}. y | ny. z | nz. w :- ny, nz, x. w :- y, x. w :- ny, not x. w :- z, nz, not x. "
         "y :- w. ny :- w. z :- w. nz :- w."},
        {"strong negation", "{p(1..3)}. -p(X) :- p(Y), X=Y+1, X<=3. q :- not -p(2)."},
        {"conditional literals",
         "{a(1..3); b(1..3)}. ok :- b(X) : a(X). :- not ok. c(X) : a(X) :- ok."},
        {"an acyclic graph", "{e(X,Y) : X=1..3, Y=1..3, X!=Y}. #edge (X,Y) : e(X,Y)."},
        {"externals",
         "#external f. #external t. [true] #external u. [free] {a} :- f. {b} :- t. {c} :- u."},
        {"weak constraints", "{a; b}. :~ a. [1@2] :~ not b. [3]"},
        {"strings and tuples", R"({p("a \"b\"",(1,2)); p("c,d",())}. q(X) :- p(X,_). )"}};
    return all;
}

} // namespace neurasp::asp::test
