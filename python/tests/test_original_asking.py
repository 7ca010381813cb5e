"""The original's class NeurASP: inference, tests and attributes. Cases such as A4 are those of docs/original.md."""

import json
import pathlib

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from neurasp import NeurASP  # noqa: E402
from test_original import ADDITION, THREE, Table, at, made  # noqa: E402

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"


def infer(program, row, *arguments, **more):
    return made(program, d=Table(row)).infer({"x": at(0)}, *arguments, **more)


def test_a_model_of_many_counts_less():  # A4: 0.5/4 < 0.3
    assert infer(THREE + "1{e(1..4)}1 :- d(0,x,a).", [0.5, 0.3, 0.2]) == [["d(0,x,b)"]]


def test_small_probabilities_are_told_apart():  # B1
    assert infer(THREE, [0.006, 1e-5, 0.99399], obs=":- d(0,x,c).") == [["d(0,x,a)"]]


def test_no_stable_model_is_an_empty_list():  # B4
    assert infer(THREE, [0.2, 0.3, 0.5], ":- d(0,x,a). :- d(0,x,b). :- d(0,x,c).") == []


def test_weak_constraints_do_not_change_the_most_probable_model():  # B5
    found = infer(THREE, [0.2, 0.3, 0.5], mvpp="z. :~ d(0,x,c). [2000]")
    assert [sorted(model) for model in found] == [["d(0,x,c)", "z"]]


def test_inference_has_the_programs_own_rules():  # F11
    assert infer(THREE + ":- d(0,x,c).", [0.2, 0.3, 0.5]) == [["d(0,x,b)"]]
    assert infer(THREE + ":- d(0,x,c).", [0.2, 0.3, 0.5], mvpp="z.") == [["z", "d(0,x,c)"]]


def test_outputs_that_are_not_distributions_are_normalized():
    # As the toy car's: one confidence, and 0 elsewhere.
    assert infer(THREE, [0.0, 0.4, 0.0]) == [["d(0,x,b)"]]
    assert infer(THREE, [0.0, 0.4, 0.0], obs=":- d(0,x,b).")[0] in (["d(0,x,a)"], ["d(0,x,c)"])


@pytest.mark.parametrize("program, key, atom", [
    ('nn(d(1,x),["big car","a[0]","a;b"]).', "x", 'd(0,x,"a;b")'),  # D8, D9, D10
    ("nn(d(1,f(x,y)),[a,b,c]).", "f(x,y)", "d(0,f(x,y),c)"),  # D6
    ("nn(d(1,x),[p(1,2),p(2,1),p(0,0)]).", "x", "d(0,x,p(0,0))"),  # D7
    ("img(i).\nnn(d(1,X),[a,b,c])\n  :- img(X).", "i", "d(0,i,c)"),  # D3
    ("  img(i). nn(d(1,X),[a,b,c]) :- img(X). % digits", "i", "d(0,i,c)")])  # D4, D5, E9
def test_programs_are_read_as_they_are_written(program, key, atom):
    assert atom in made(program, d=Table([0.2, 0.3, 0.5])).infer({key: at(0)})[0]


@pytest.mark.parametrize("program", [THREE + ":~d(0,x,a). [1]", ":~ d(0,x,a). [1]\n" + THREE,  # E6, E7
                                     THREE + "z. :~ d(0,x,a).\n [1]", THREE + "1 {p; q} 1."])  # E8, E10
def test_weak_constraints_and_choices_do_not_confuse(program):
    made(program, d=Table([0.2, 0.3, 0.5]))


def test_mistakes_are_reported():  # C4, C8
    with pytest.raises(neurasp.InputError):
        made("nn(d(1,x),[a]).", d=Table([1.0]))
    with pytest.raises(neurasp.InputError):
        made(THREE + "nn(d(1,y),[p,q]).", d=Table([1.0]))


def test_attributes():
    thing = made(ADDITION, digit=Table([0.2, 0.3, 0.5]))
    assert (thing.n, thing.e, thing.domain) == ({"digit": 3}, {"digit": 1}, {"digit": ["0", "1", "2"]})
    assert thing.nnOutputs == {"digit": {"i1": None, "i2": None}} == thing.nnGradients
    assert thing.mvpp["nnPrRuleNum"] == 2 and thing.mvpp["nnProb"][0][2] == ("digit", 0, "i1", 2)
    assert thing.mvpp["atom"][1][0] == "digit(0, i2, 0)" and thing.mvpp["program_asp"].startswith("img(i1).")
    assert thing.mvpp["program_pr"].splitlines()[0] == "@0.0 digit(0, i1, 0); @0.0 digit(0, i1, 1); @0.0 digit(0, i1, 2)."
    assert thing.mvpp["program"] == thing.mvpp["program_pr"] + "\n" + thing.mvpp["program_asp"]
    assert made("nn(d(2,x),[t,f]).", d=Table([0.9])).n == {"d": 1}
    assert thing.parse()[2] == thing.mvpp["program_asp"] and thing.normalProbs is None and thing.stableModels == []


def test_the_mapping_is_not_checked():
    assert NeurASP(THREE, {"other": Table([1.0])}, optimizers=None).device.type == "cpu"


def test_satisfy():  # F10
    assert NeurASP.satisfy(["a", "b(1)"], ":- not a. :- b(2).")
    assert not NeurASP.satisfy(["a"], "{b}. :- not b.")
    assert NeurASP.satisfy(["a"], "b :- a. :- not b.")
    assert not NeurASP.satisfy(["a"], ":- a.")


# --- tests of networks and constraints ---

def test_accuracy_of_a_network():
    thing = made(THREE, d=Table([0.1, 0.2, 0.7], [0.7, 0.2, 0.1]))
    assert thing.testNN("d", [(at(0, 1), torch.tensor([2, 1]))]) == (50.0, 50.0)
    boards = Table([[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.6, 0.4]])
    assert made("nn(d(2,x),[t,f]).", d=boards).testNN("d", [(at(0, 1), torch.tensor([[0, 1], [0, 1]]))]) == (50.0, 75.0)
    columns = Table([0.9, 0.2], [0.4, 0.6])
    assert made("nn(d(2,x),[t,f]).", d=columns).testNN("d", [(at(0, 1), torch.tensor([[1, 0], [1, 1]]))]) == (50.0, 75.0)


def test_constraints_are_tested_with_each_networks_own_outcomes(capsys):  # C7
    d = Table([[0.1, 0.2, 0.7], [0.7, 0.2, 0.1]])
    thing = made("nn(d(2,x),[a,b,c]).\nnn(e(2,x),[t,f]).", d=d, e=Table([0.9, 0.2]))
    thing.testConstraint([{"x": at(0)}] * 2, [":- mistake.", ":- mistake. bad."],
                         ["mistake :- not d(0,x,c). mistake :- not d(1,x,a).", "mistake :- not e(1,x,t).",
                          "mistake :- bad, e(0,x,t).", thing.mvpp["program"]])
    assert capsys.readouterr().out.splitlines() == [
        "The accuracy for constraint 1 is 1.0", "The accuracy for constraint 2 is 0.0",
        "The accuracy for constraint 3 is 0.5", "The accuracy for constraint 4 is 1.0"]


def test_constraints_with_weak_constraints_want_least_cost(capsys):
    thing = made("#const k=7.\nnn(d(2,k),[t,f]).", d=Table([0.9, 0.2], [0.2, 0.2]))
    weights = ":~ d(0,k,t). [-2, 0]\n:~ d(1,k,t). [-1, 1]"
    thing.testConstraint([{"k": at(0)}, {"k": at(1)}], [weights, weights], [":- d(0,k,t), d(1,k,t)."])
    assert capsys.readouterr().out == "The accuracy for constraint 1 is 0.5\n"


def test_training_accuracy_is_printed(capsys):
    thing = made(THREE, d=Table([0.2, 0.3, 0.5]))
    thing.learn([{"x": at(0)}] * 2, [":- d(0,x,a).", ":- d(0,x,c)."], 1, accEpoch=2)
    assert capsys.readouterr().out.splitlines() == ["Training accuracy at interation 2:",
                                                    "The accuracy for constraint 1 is 0.5"]
    assert thing.nnMapping["d"].training


def test_inference_results():
    thing = made(THREE + "mistake :- d(0,x,c).", d=Table([0.2, 0.3, 0.5], [0.6, 0.3, 0.1]))
    # Without mistakes, b is most probable first, and a second.
    assert thing.testInferenceResults([{"x": at(0)}, {"x": at(1)}], [":- not d(0,x,b).", ":- not d(0,x,b)."]) == 50.0


def test_a_detector():
    thing = made('nn(label(yolo,I),[car,cat]) :- img(I). img(i).', label=Table([1.0]))
    boxes = lambda output: [("car", 1, 2, 3, 4, 0.9), ("dog", 0, 0, 1, 1, 0.8), ("cat", 5, 6, 7, 8, 0.3)]  # noqa: E731
    found = thing.infer({"i": at(0)}, mvpp="toy(B) :- label(i,B,car).", postProcessing=boxes)[0]
    assert set(found) == {"box(i,b0,1,2,3,4)", "box(i,b2,5,6,7,8)", "label(i,b0,car)", "-label(i,b2,cat)", "toy(b0)"}
    with pytest.raises(neurasp.UsageError, match="postProcessing"):
        thing.infer({"i": at(0)})


@pytest.mark.skipif(not SHARED.exists(), reason="needs the shared data")
def test_the_toy_cars_rules_on_recorded_detections():
    domain = ["car", "cat", "person", "truck", "other"]
    image = json.loads((SHARED / "toycar/detections_yolov5s.json").read_text())["images"]["i1"]
    facts, data = "", {}
    for i, found in enumerate(image["detections"]):
        facts += f"box(img,b{i}, {', '.join(map(str, found['box_px']))}).\n"
        row = torch.zeros(1, 5, dtype=torch.float64)
        row[0, domain.index(found["label"])] += found["class_conf"]
        data[f"img,b{i}"] = row
    labels = ", ".join(f'"{label}"' for label in domain)
    rules = """smaller("person","car"). smaller("cat","person"). smaller("person","truck").
        smaller(I,A,B) :- not -smaller(I,A,B), label(0,I,A,L), label(0,I,B,M), smaller(L,M).
        -smaller(I,B,A) :- box(I,A,X,Y,Z,W), box(I,B,X1,Y1,Z1,W1), W >= W1, |X-Z|*|Y-W| < |X1-Z1|*|Y1-W1|.
        smaller(I,A,B) :- -smaller(I,B,A).
        toy(I,A) :- label(0,I,A,L), label(0,I,B,M), smaller(I,A,B), smaller(M,L).\n"""
    thing = NeurASP(f"nn(label(1,I,B), [{labels}]) :- box(I,B,_,_,_,_).\n" + facts, {"label": torch.nn.Identity()}, None)
    assert {atom for atom in thing.infer(data, mvpp=rules + facts)[0] if atom.startswith("toy")} == \
        {"toy(img,b0)", "toy(img,b2)"}
