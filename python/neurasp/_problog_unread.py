"""Names of Prolog and ProbLog that cannot be read, with the reasons."""

from __future__ import annotations

META = "it handles clauses or goals as data, which rules cannot"
_GATHERS = "it gathers answers into a list; count with an aggregate of ASP instead"
UNSUPPORTED = {
    **dict.fromkeys(("call", "assert", "asserta", "assertz", "retract", "retractall", "clause", "=..", "functor", "arg",
                     "subquery", "once", "forall", "ignore", "copy_term", "=@="), META),
    **dict.fromkeys(("findall", "findall_forward", "all", "all_or_none", "bagof", "setof", "aggregate_all"), _GATHERS),
    **dict.fromkeys(("@<", "@>", "@=<", "@>=", "compare"), "the order of terms in Prolog is not that of ASP"),
    **dict.fromkeys(("var", "nonvar", "atom", "atomic", "compound", "number", "integer", "float", "ground", "is_list",
                     "callable", "simple", "rational", "string"), "it asks what kind of term a variable has at this "
                    "moment of a search, and rules have no such moment"),
    **dict.fromkeys(("write", "writeln", "print", "nl", "writenl", "error", "debugprint", "trace", "consult", "sql",
                     "use_module"), "it acts while clauses are searched, and nothing is searched here"),
    **dict.fromkeys(("->", "*->"), "it commits to the first answer, which depends on the order of clauses"),
    **dict.fromkeys(("succ", "plus", "length", "member", "append", "sort", "msort", "nth0", "nth1", "select_uniform",
                     "select_weighted", "sum_list", "max_list", "atom_concat", "atom_number", "maplist", "foldl"),
                    "this library predicate has no translation"),
}
CONTINUOUS = ("normal", "gaussian", "beta", "gamma", "uniform", "exponential", "poisson", "delta", "dirichlet",
              "lognormal")
