"""from_problog: the answers are ProbLog's, and what cannot be read is said.

Numbers are worked out by hand beside the programs, or are those of ProbLog's published tests and tutorials.
"""

import pickle
import random

import pytest

import neurasp
import problog_worlds as worlds


def answers(text, **options):
    return {atom: float(value) for atom, value in neurasp.from_problog(text).answers(**options).items()}


def code_of(text):
    with pytest.raises(neurasp.InputError) as caught:
        neurasp.from_problog(text).answers()
    return caught.value.code


@pytest.mark.parametrize("text, expected", [
    ("0.3::a. 0.5::b. query(a). query(b).", {"a": 0.3, "b": 0.5}),
    ("0.5::h1. 0.6::h2. two :- h1, h2. some :- h1. some :- h2. query(two). query(some).", {"two": 0.3, "some": 0.8}),
    # Two clauses are two choices, even if they are equal: 1 - 0.7 * 0.4.
    ("0.3::p(1). 0.2::p(2). 0.6::p(1). query(p(X)).", {"p(1)": 0.72, "p(2)": 0.2}),
    ("0.4::a. 0.4::a. query(a).", {"a": 0.64}),
    # One choice for each value of the variables, also of those that only the body has: 1 - 0.9^3.
    ("s(1). s(2). s(3). 0.1::alarm :- s(X). query(alarm).", {"alarm": 0.271}),
    ("s(1). s(2). s(3). 0.1::alarm :- s(_). query(alarm).", {"alarm": 0.271}),
    ("a(1,2). a(1,3). b(2,4). b(3,4). 0.3::e(X,Y) :- a(X,Z), b(Z,Y). query(e(1,4)).", {"e(1,4)": 0.51}),
    ("s(1,1). s(1,2). 0.4::a(X); 0.3::b(Y) :- s(X,Y). query(a(_)). query(b(_)).",
     {"a(1)": 0.64, "b(1)": 0.3, "b(2)": 0.3}),
    ("0.3::p(1); 0.4::p(2). all :- p(1), p(2). none :- \\+p(1), \\+p(2). any :- p(1); p(2). "
     "query(all). query(none). query(any).", {"all": 0.0, "none": 0.3, "any": 0.7}),
    ("0.3::a :- b. 0.5::b. query(a).", {"a": 0.15}),
    ("0.3::a <- b. 0.5::b. query(a).", {"a": 0.15}),
    ("0::a(1). 0.5::a(2). 1::a(3). query(a(X)).", {"a(1)": 0.0, "a(2)": 0.5, "a(3)": 1.0}),
    ("1/4::a. (1/0x10)::b. 0.5*0.5::c. query(a). query(b). query(c).", {"a": 0.25, "b": 0.0625, "c": 0.25}),
    ("0.5::a. query(\\+a).", {"\\+a": 0.5}),
    ("0.5::a(1). 0.3::a(2). query(\\+a(X)).", {"\\+a(1)": 0.5, "\\+a(2)": 0.7}),
    ("0.5::a(1). query(a(3)). query(b(X)). b(X) :- a(X), X > 4.", {"a(3)": 0.0, "b(X)": 0.0}),
    # A head with \+ keeps an atom from being true: 0.7 * 0.5 * (1 - 0.2 * 0.5).
    ("0.7::b. 0.2::c. 0.5::a :- b. 0.5::\\+a :- c. query(a).", {"a": 0.315}),
    ("0.4::a. b :- a ; \\+a, c. 0.2::c. 0.3::d :- (a ; c). query(b). query(d).", {"b": 0.52, "d": 0.3 * 0.52}),
    ("0.4::a. b :- \\+ \\+ a. query(b).", {"b": 0.4}),
    (":- unknown(fail). p :- a. query(p).", {"p": 0.0}),
])
def test_facts_clauses_and_disjunctions(text, expected):
    assert answers(text) == pytest.approx(expected)


def test_the_alarm_of_the_tutorial():
    # Figures of ProbLog's test 5: John and Mary call.
    text = """
        person(john). person(mary).
        0.7::burglary. 0.2::earthquake.
        0.9::alarm :- burglary, earthquake.
        0.8::alarm :- burglary, \\+earthquake.
        0.1::alarm :- \\+burglary, earthquake.
        0.8::calls(X) :- alarm, person(X).
        0.1::calls(X) :- \\+alarm, person(X).
        evidence(calls(john),true). evidence(calls(mary)).
        query(burglary). query(earthquake)."""
    assert answers(text) == pytest.approx({"burglary": 0.9819392647842303, "earthquake": 0.22685135855087904})


SMOKERS = """
    0.3::stress(X) :- person(X).
    0.2::influences(X,Y) :- person(X), person(Y).
    smokes(X) :- stress(X).
    smokes(X) :- friend(X,Y), influences(Y,X), smokes(Y).
    0.4::asthma(X) :- smokes(X).
    person(1). person(2). person(3). person(4).
    friend(1,2). friend(2,1). friend(2,4). friend(3,2). friend(4,2).
    evidence(smokes(2),true). evidence(\\+influences(4,2)).
    query(smokes(_)). query(asthma(X))."""


def test_smokers_with_a_cycle():
    # Figures of ProbLog's test 8. The friends 1 and 2 influence each other.
    expected = [0.5087719298245614, 1.0, 0.44, 0.44]
    assert answers(SMOKERS) == pytest.approx({**{f"smokes({i + 1})": p for i, p in enumerate(expected)},
                                              **{f"asthma({i + 1})": 0.4 * p for i, p in enumerate(expected)}})


def test_variables_that_callers_bind():
    # Figures of ProbLog's tests: an HMM (6), a recursion downwards (01_queries), facts with variables.
    weather = """
        0.5::weather(sun,0); 0.5::weather(rain,0).
        0.6::weather(sun,T); 0.4::weather(rain,T) :- T > 0, P is T-1, weather(sun,P).
        0.2::weather(sun,T); 0.8::weather(rain,T) :- T > 0, P is T-1, weather(rain,P).
        query(weather(sun,10))."""
    assert answers(weather) == pytest.approx({"weather(sun,10)": 0.3333508096})
    downwards = "0.3::p(1). 0.2::p(2). 0.1::p(3). 0.5::p(X) :- X > 0, Y is X-1, p(Y). a(1). a(2). a(5). query(p(X)) :- a(X)."
    assert answers(downwards) == pytest.approx({"p(1)": 0.3, "p(2)": 0.32, "p(5)": 0.061})
    assert answers("0.5::heads(C). w :- heads(c1), \\+heads(c2). query(w).") == {"w": 0.25}
    # 1 - (1 - 0.4) * (1 - 0.2 * 0.3)
    path = "0.2::e(1,2). 0.3::e(2,3). 0.4::e(1,3). path(X,X). path(X,Y) :- e(X,Z), path(Z,Y). query(path(1,3))."
    assert answers(path) == pytest.approx({"path(1,3)": 0.436})


@pytest.mark.parametrize("text, expected", [
    ("w(a,0.3). w(b,0.4). P::h(X) :- w(X,P). query(h(X)).", {"h(a)": 0.3, "h(b)": 0.4}),
    ("w(a,3). w(b,4). P::h(X) :- w(X,W), P is W/10. query(h(X)).", {"h(a)": 0.3, "h(b)": 0.4}),
    ("P/10::h(P) :- between(1,3,P). query(h(X)).", {"h(1)": 0.1, "h(2)": 0.2, "h(3)": 0.3}),
    ("P::a :- P = 0.3. query(a).", {"a": 0.3}),
    # The same head from two values is two choices: 1 - 0.7 * 0.6. The weights depend on chance themselves.
    ("w(0.3). 0.5::w(0.4). P::h :- w(P). query(h). evidence(w(0.4)).", {"h": 0.58}),
    ("w(0.2,0.3). P::a; Q::b :- w(P,Q). query(a). query(b). evidence(\\+a).", {"a": 0.0, "b": 0.375}),
])
def test_probabilities_that_are_values_of_variables(text, expected):
    assert answers(text) == pytest.approx(expected)


@pytest.mark.parametrize("text, expected", [
    ("x(Y) :- Y is -7 // 2. x(Y) :- Y is -7 mod 2. query(x(Y)).", ["x(-4)", "x(1)"]),
    ("x(Y) :- Y is max(1,2). x(Y) :- Y is abs(-5). x(Y) :- Y is min(3,4)+7 div 2. query(x(Y)).", ["x(2)", "x(5)", "x(6)"]),
    ("x(Y) :- Y is 2**5-1. x(Y) :- Y is 6 xor 3. x(Y) :- Y is -(3-10)*2. query(x(Y)).", ["x(14)", "x(31)", "x(5)"]),
    ("n(1). n(2). n(5). x(A) :- n(A), A >= 2, A =\\= 5. x(A) :- n(A), \\+ A < 5, A =:= 2+3. query(x(_)).", ["x(2)", "x(5)"]),
    ("n(1). n(2). n(3). x(1). x(B) :- x(A), B is A+1, n(B). query(x(_)).", ["x(1)", "x(2)", "x(3)"]),
    ("v(a). v(b). x(A,B) :- v(A), v(B), A \\= B. x(A,B) :- v(A), B = A, A == b. query(x(_,_)).",
     ["x(a,b)", "x(b,a)", "x(b,b)"]),
    ("v(1). v(2). x(X,Y) :- X=Y, v(X). query(x(_,_)).", ["x(1,1)", "x(2,2)"]),
    ("v(age,33). v(name,bob). x(V) :- v(_,V), V > 30. query(x(_)).", ["x(33)"]),
])
def test_comparisons_and_arithmetic(text, expected):
    assert {atom for atom, value in answers(text).items() if value == 1} == set(expected)


def test_names_strings_and_functions():
    text = """
        0.5::'Hello w'(1). 0.1::a('A b'). 0.2::a("A b"). 0.3::a(xY_1). 0.4::a(f(1,g(b))). 0.6::a(0.50). /* 'x' */
        0.7::a('b\\\\c'). 0.8::a("x\\"y"). 0.9::nn(not_this). % query(none).
        c(_x) :- a(f(_x,_)).
        query('Hello w'(_)). query(a(X)). query(nn(_)). query(c(_))."""
    assert answers(text) == pytest.approx({
        "'Hello w'(1)": 0.5, "a('A b')": 0.1, 'a("A b")': 0.2, "a(xY_1)": 0.3, "a(f(1,g(b)))": 0.4, "a(0.5)": 0.6,
        "a('b\\\\c')": 0.7, 'a("x\\"y")': 0.8, "nn(not_this)": 0.9, "c(1)": 0.4})


def test_helpers_do_not_take_names_of_the_program():
    text = "0.5::a_cause1. 0.3::a :- b. 0.2::b. 0.7::maybe_b. 0.1::a :- maybe_b, b. query(a). query(maybe_b)."
    # P(a) = 0.2 * (1 - 0.7 * (1 - 0.7 * 0.1))
    assert answers(text) == pytest.approx({"a": 0.2 * (1 - 0.7 * (1 - 0.07)), "maybe_b": 0.7})


def test_negation_of_variables_that_nothing_binds():
    # No a(X) at all: 0.5 * 0.7. The q(X) afterwards has nothing to do with it, as in Prolog.
    assert answers("0.5::a(1). 0.3::a(2). b :- \\+a(X). query(b).") == pytest.approx({"b": 0.35})
    assert answers("0.5::a(1). 0.3::a(2). q(1). b :- \\+a(X), q(X). query(b).") == pytest.approx({"b": 0.35})
    assert answers("0.5::a(1). 0.3::a(2). q(1). b :- q(X), \\+a(X). query(b).") == pytest.approx({"b": 0.5})
    assert answers("0.5::e(1,1). 0.3::e(1,2). b :- \\+e(X,X). query(b).") == pytest.approx({"b": 0.5})
    both = "0.5::a(1). 0.3::a(2). v(1). v(2). every :- \\+ (v(X), \\+a(X)). query(every)."
    assert answers(both) == pytest.approx({"every": 0.15})


def test_negation_without_a_cycle_among_ground_atoms():
    # w(2) = c(2); w(1) = c(1) or not w(2): 1 - 0.7 * 0.4.
    text = "0.3::c(1). 0.4::c(2). n(1,2). w(X) :- n(X,Y), \\+w(Y). w(X) :- c(X). query(w(X))."
    assert answers(text) == pytest.approx({"w(1)": 0.72, "w(2)": 0.4})
    assert code_of(text.replace("n(1,2).", "n(1,2). n(2,1).")) == "problog-negative-cycle"
    assert code_of("b :- \\+a. a :- \\+b. query(a).") == "problog-negative-cycle"


def test_evidence():
    two = "0.5::a(1). 0.2::a(2). 0.9::c(X) :- a(X). "
    assert answers(two + "evidence(a(X)). query(a(1)).") == {"a(1)": 1.0}
    assert answers(two + "evidence(a(X),false). query(c(2)).") == {"c(2)": 0.0}
    assert answers(two + "t(2). evidence(a(X)) :- t(X). query(a(X)).") == {"a(1)": 0.5, "a(2)": 1.0}
    read = neurasp.from_problog(two + "evidence(\\+a(1)). evidence(c(2)).")
    assert read.observation == ":- a(1).\n:- not c(2)." and read.queries == []
    assert read.program.probability(observe=read.observation) == pytest.approx(0.5 * 0.2 * 0.9)
    assert read.program.query("a(2)", observe=read.observation) == 1.0
    for evidence in ("evidence(a(1)). evidence(\\+a(1)).", "evidence(b). b :- fail.", "evidence(a(3))."):
        assert code_of(two + evidence + " query(a(2)).") == "problog-inconsistent"
    assert code_of("0.5::a(1). evidence(a(1)). evidence(a(1),false).") == "problog-inconsistent"


def test_the_translation_reads_well():
    read = neurasp.from_problog("""
        0.4::heads(C); 0.5::tails(C) :- coin(C).   coin(c1).
        0.1::alarm :- heads(C).
        t(0.25)::lucky.   query(alarm).""")
    assert read.text.splitlines() == [
        "0.4 : heads(C) | 0.5 : tails(C) | 0.1 : none1(C) :- coin(C).",
        "maybe_heads(C) :- coin(C).",
        "coin(c1).",
        "0.1 : alarm_cause1(C) :- maybe_heads(C).",
        "alarm :- heads(C), alarm_cause1(C).",
        "@0.25 : lucky.",
        "#show alarm/0.", "#show coin/1.", "#show heads/1.", "#show lucky/0.", "#show tails/1."]
    assert read.queries == ["alarm"] and repr(read) == read.text


def test_options_and_copies():
    read = neurasp.from_problog(SMOKERS)
    exact = read.answers()
    assert exact.exact and list(exact)[0] == "smokes(1)" and "asthma(4)  0.176" in repr(exact)
    again = pickle.loads(pickle.dumps(read))
    assert dict(again.answers(engine="enumerate")) == pytest.approx(dict(exact))
    estimate = read.answers(samples=2000, seed=1)
    assert estimate["smokes(1)"] == pytest.approx(exact["smokes(1)"], abs=0.08)
    with pytest.raises(neurasp.UsageError, match="answers.. has no argument 'sample'"):
        read.answers(sample=3)
    with pytest.raises(neurasp.UsageError):
        neurasp.from_problog(b"0.5::a.")
    assert len(neurasp.from_problog("0.5::a.").answers()) == 0


@pytest.mark.parametrize("text, code, place, words", [
    ("0.5::a :- b.", "problog-undefined", "1:11", "no clause defines 'b/0'"),
    ("0.5::rain.\nwet :- rian. query(wet).", "problog-undefined", "2:8", "did you mean 'rain'?"),
    ("query(a).", "problog-undefined", "1:7", "no clause defines 'a/0'"),
    ("a([1,2]).", "problog-list", "1:3", "lists"),
    ("a :- b, !. b.", "problog-unsupported", "1:9", "cut"),
    ("a(X) :- findall(Y,b(Y),X). b(1).", "problog-unsupported", "1:9", "aggregate of ASP"),
    ("a :- call(b). b.", "problog-unsupported", "1:6", "call/1"),
    ("a(X) :- X. b.", "problog-unsupported", "1:9", "variable"),
    (":- use_module(library(lists)).", "problog-unsupported", "1:1", "libraries"),
    ("a :- (b -> c ; d). b. c. d.", "problog-unsupported", "1:7", "order of clauses"),
    ("normal(0,1)::a.", "problog-continuous", "1:1", "finitely many outcomes"),
    ("a ~ normal(0,1).", "problog-continuous", "1:1", "finitely many outcomes"),
    ("t(_)::a.", "problog-unsupported", "1:1", "t(0.5)"),
    ("nn(m,[X],Y,[0,1])::d(X,Y).", "problog-list", "1:6", "lists"),
    ("nn(m,x)::d(X,Y).", "problog-neural", "1:1", "docs/coming-from.md"),
    ("?::a.", "problog-unsupported", "1:1", "decisions"),
    ("0.3:b.", "problog-unsupported", "1:1", "'::'"),
    ("0.3::a; b.", "problog-syntax", "1:1", "needs a probability"),
    ("0.7::a; 0.4::b.", "problog-probability", "1:1", "1.1"),
    ("1.5::a.", "problog-probability", "1:1", "not a probability"),
    ("x::a.", "problog-probability", "1:1", "not a number"),
    ("P::a.", "problog-probability", "1:1", "no value"),
    ("w(3). P::a :- w(P).", "problog-probability", "1:7", "its value is 3"),
    ("p(a). q(X) :- p(Y), X > 1. r :- q(_). query(r).", "problog-unsafe", "1:33", "no value"),
    ("p(a). q :- p(Y), X > 1.", "problog-unsafe", "1:18", "'X' has no value"),
    ("p(X). query(p(Y)).", "problog-unsafe", "1:7", "argument 1"),
    ("b(1). a :- \\+b(X), X = 1.", "problog-order", "1:20", "beginning"),
    ("n(0). n(s(X)) :- n(X).", "problog-growing", "1:7", "larger terms"),
    ("n(0). n(Y) :- n(X), Y is X+1.", "problog-growing", "1:7", "without a bound"),
    ("w(0.3). a :- w(X), X > 0.", "problog-arithmetic", "1:20", "real"),
    ("w(3). a(Y) :- w(X), Y is X/2.", "problog-arithmetic", "1:26", "'//'"),
    ("w(3). a :- w(X), X > b.", "problog-arithmetic", "1:22", "not a number"),
    ("a(X+1) :- b(X). b(1).", "problog-unsupported", "1:3", "'is'"),
    ("a :- b", "problog-syntax", "1:6", "ends before"),
    ("a(1. b.", "problog-syntax", "1:4", "expected ')'"),
    ("a('x).", "problog-syntax", "1:3", "never closed"),
    ("a. /* b.", "problog-syntax", "1:4", "comment"),
    ("a. query(a,b).", "problog-syntax", "1:4", "query(atom)"),
    ("true :- a. a.", "problog-syntax", "1:1", "built in"),
    ("0.5::scope:a.", "problog-unsupported", "1:6", "scopes"),
])
def test_what_cannot_be_read(text, code, place, words):
    with pytest.raises(neurasp.InputError) as caught:
        neurasp.from_problog(text, name="x.pl")
    first = str(caught.value).splitlines()[0]
    assert caught.value.code == code, caught.value
    assert first.startswith(f"x.pl:{place}: error: ") and first.endswith(f"[{code}]")
    assert words in str(caught.value)


def test_mistakes_are_reported_together_with_carets(valid):
    with pytest.raises(neurasp.InputError) as caught:
        neurasp.from_problog("0.3:b.\nquery(a.\n\t0.5::c :- [].")
    assert str(caught.value).splitlines()[5:8] == [
        "  2 | query(a.", "    |        ^", "<problog>:3:12: error: lists cannot be read: the program is grounded from its "
        "facts upwards, so terms must not grow [problog-list]"]
    assert str(caught.value).splitlines()[-1] == "    | \t          ^"
    valid({"error": {"kind": "input", "exit_code": 3, "diagnostics": caught.value.diagnostics}}, "error")


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_random_programs_against_all_their_worlds(start):
    compared = 0
    for seed in range(start, start + 50):
        clauses, evidence, queries = worlds.random_program(random.Random(seed))
        expected = worlds.by_worlds(clauses, evidence, queries)
        text = worlds.program_text(clauses, evidence, queries)
        used = {one[1][0] for _, body, _ in clauses for one in body if one[0] in "+-"}
        if expected == "large" or used - {atom[0] for heads, _, _ in clauses for _, atom in heads}:
            continue
        compared += 1
        if expected is None:
            assert code_of(text) == "problog-inconsistent", text
        else:
            found = answers(text)
            assert found == pytest.approx({worlds.atom_text(atom): value for atom, value in expected.items()}), text
    assert compared >= 10
