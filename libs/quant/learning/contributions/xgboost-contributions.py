"""Writes `pred_contribs` of the rows in rows.f32 by model.json to contributions.f32, row after row, the base last."""

import json
import sys

import numpy
import xgboost

FLOATS = ["base_weights", "loss_changes", "split_conditions", "sum_hessian"]


def main():
    with open("model.json") as file:
        model = json.load(file)
    for tree in model["learner"]["gradient_booster"]["model"]["trees"]:
        # XGBoost wants a decimal point where JavaScript writes none.
        tree.update({name: [float(value) for value in tree[name]] for name in FLOATS})
    booster = xgboost.Booster(model_file=bytearray(json.dumps(model), "utf-8"))
    rows = numpy.fromfile("rows.f32", numpy.float32).reshape(-1, int(sys.argv[1]))
    contributions = booster.predict(xgboost.DMatrix(rows), pred_contribs=True, strict_shape=True)
    contributions.astype(numpy.float32).tofile("contributions.f32")


main()
