"""Trains XGBoost's `hist` on one matrix, once for every line on standard input.

The first line names the files of the matrix and how to train; every further one is a task. Each is answered with one
line of JSON: the milliseconds that training took, by the clock and of all its threads' processor time, cuts and binning
included, after raw scores of the held-out rows have been written to the file that the task names.
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
        # Cuts and bins are kept with the data, so that each training has to get its own.
        data = xgboost.DMatrix(learnt, labels, nthread=job["threads"])
        begun, processor_begun = time.perf_counter(), time.process_time()
        model = xgboost.train({**parameters, "subsample": task["subsample"]}, data, job["rounds"])
        took, processor = time.perf_counter() - begun, time.process_time() - processor_begun
        model.predict(held_out, output_margin=True).astype(numpy.float32).tofile(task["scores"])
        answer({"ms": 1000 * took, "processor_ms": 1000 * processor})


def matrix(file, features):
    """One feature after the other in the file, one row after the other in memory, as XGBoost likes it best."""
    return numpy.ascontiguousarray(numpy.fromfile(file, numpy.float32).reshape(features, -1).T)


def answer(message):
    print(json.dumps(message), flush=True)


main()
