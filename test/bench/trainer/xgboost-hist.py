"""Trains XGBoost's `hist` on one matrix, once for every line on standard input.

The first line names the files of the matrix and how to train; every further one is a task. Each is answered with one
line of JSON: the milliseconds from the matrix in memory to the model, cuts and binning included, after raw scores of the
held-out rows have been written to the file that the task names.
"""

import json
import sys
import time

import numpy
import xgboost


def main():
    job = json.loads(sys.stdin.readline())
    learnt = matrix(job["learnt"], job["features"])
    labels = numpy.fromfile(job["labels"], numpy.uint8).astype(numpy.float32)
    # The trainer begins with the share of ones, too.
    parameters = {**job["parameters"], "base_score": float(labels.mean())}
    held_out = xgboost.DMatrix(matrix(job["held_out"], job["features"]), nthread=job["threads"])
    answer({"version": xgboost.__version__})
    for line in sys.stdin:
        task = json.loads(line)
        begun = time.perf_counter()
        # Cuts and bins are made here, and kept with the data: each training has to get its own.
        data = xgboost.QuantileDMatrix(learnt, labels, nthread=job["threads"], max_bin=parameters["max_bin"])
        model = xgboost.train({**parameters, "subsample": task["subsample"], "seed": task["seed"]}, data, job["rounds"])
        took = time.perf_counter() - begun
        model.predict(held_out, output_margin=True).astype(numpy.float32).tofile(task["scores"])
        answer({"ms": 1000 * took})


def matrix(file, features):
    """One feature after the other in the file, one row after the other in memory, as XGBoost likes it best."""
    return numpy.ascontiguousarray(numpy.fromfile(file, numpy.float32).reshape(features, -1).T)


def answer(message):
    print(json.dumps(message), flush=True)


main()
