"""Trains XGBoost's `hist` on a matrix, as the JSON on standard input says.

It names the files of the matrix and how to train. The answer is a line of JSON: the version, and the milliseconds from the
matrix in memory to the model, cuts and binning included. Raw scores of the held-out rows are then in the file that it names.
"""

import json
import sys
import time

import numpy
import xgboost

WARM_UP_ROUNDS = 5


def main():
    job = json.load(sys.stdin)
    trained = matrix(job["trained"], job["features"])
    labels = numpy.fromfile(job["labels"], numpy.uint8).astype(numpy.float32)
    # The trainer begins with the share of ones, too.
    parameters = {**job["parameters"], "base_score": float(labels.mean())}
    threads, bins = parameters["nthread"], parameters["max_bin"]

    def train(rounds):
        # Cuts and bins are made here, and kept with the data: each training has to get its own.
        data = xgboost.QuantileDMatrix(trained, labels, nthread=threads, max_bin=bins)
        return xgboost.train(parameters, data, rounds)

    train(WARM_UP_ROUNDS)
    begun = time.perf_counter()
    model = train(job["rounds"])
    took = time.perf_counter() - begun
    held_out = xgboost.DMatrix(matrix(job["held_out"], job["features"]), nthread=threads)
    model.predict(held_out, output_margin=True).astype(numpy.float32).tofile(job["scores"])
    print(json.dumps({"version": xgboost.__version__, "ms": 1000 * took}))


def matrix(file, features):
    """One feature after the other in the file, one row after the other in memory, as XGBoost likes it best."""
    return numpy.ascontiguousarray(numpy.fromfile(file, numpy.float32).reshape(features, -1).T)


main()
