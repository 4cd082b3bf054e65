"""Writes reference-vectors.json: figures of some series of returns by numpy and scipy, from the formulas of the papers.

Where it ran: numpy 2.4, scipy 1.17. The libraries arch, empyrical and pypbo could not be installed; their formulas are these.
"""

import itertools
import json
import pathlib

import numpy
from scipy import stats

PERIODS_OF_A_YEAR = 252
BLOCKS = 16


def series(seed, days, mean, scale, tail):
    """Rounded, so that JSON holds them exactly as they were used."""
    return numpy.round(numpy.random.default_rng(seed).standard_t(tail, days) * scale + mean, 6)


def sharpe(returns, axis=-1):
    return numpy.mean(returns, axis=axis) / numpy.std(returns, axis=axis, ddof=1)


def probabilistic(returns, benchmark):
    ratio = sharpe(returns)
    skewness, kurtosis = stats.skew(returns), stats.kurtosis(returns, fisher=False)
    variance = 1 - skewness * ratio + (kurtosis - 1) / 4 * ratio**2
    return stats.norm.cdf((ratio - benchmark) * numpy.sqrt(len(returns) - 1) / numpy.sqrt(variance))


def expected_best(count, variance):
    quantile = stats.norm.ppf
    return numpy.sqrt(variance) * (
        (1 - numpy.euler_gamma) * quantile(1 - 1 / count) + numpy.euler_gamma * quantile(1 - 1 / (count * numpy.e))
    )


def overfitting(returns):
    blocks = numpy.array_split(returns[:, returns.shape[1] % BLOCKS :], BLOCKS, axis=1)
    outcomes = []
    for chosen in itertools.combinations(range(BLOCKS), BLOCKS // 2):
        inside = sharpe(numpy.concatenate([blocks[i] for i in chosen], axis=1))
        outside = sharpe(numpy.concatenate([blocks[i] for i in range(BLOCKS) if i not in chosen], axis=1))
        rank = stats.rankdata(outside)[numpy.argmax(inside)] / (len(returns) + 1)
        outcomes.append(rank <= 0.5)
    return numpy.mean(outcomes)


def figures(returns):
    equity = numpy.concatenate([[1], numpy.cumprod(1 + returns)])
    downside = numpy.sqrt(numpy.mean(numpy.minimum(returns, 0) ** 2))
    return {
        "returns": returns.tolist(),
        "sharpe": sharpe(returns),
        "skewness": stats.skew(returns),
        "kurtosis": stats.kurtosis(returns, fisher=False),
        "probabilistic": [[benchmark, probabilistic(returns, benchmark)] for benchmark in (0, 0.05, 0.1)],
        "annual_volatility": numpy.std(returns, ddof=1) * numpy.sqrt(PERIODS_OF_A_YEAR),
        "annual_return": equity[-1] ** (PERIODS_OF_A_YEAR / len(returns)) - 1,
        "sortino": numpy.mean(returns) / downside * numpy.sqrt(PERIODS_OF_A_YEAR),
        "max_drawdown": numpy.max(1 - equity / numpy.maximum.accumulate(equity)),
    }


trials = numpy.array([series(100 + i, 172, 0.0002 * (i % 4), 0.01, 5) for i in range(10)])
vectors = {
    "normal": [[x, stats.norm.cdf(x)] for x in (-30, -8, -4.5, -3.001, -2.999, -1, -0.1, 0, 0.3, 1.96, 3, 6)],
    "quantile": [[p, stats.norm.ppf(p)] for p in (1e-12, 0.001, 0.02425, 0.3, 0.5, 0.75, 0.98, 0.9999)],
    "expected_best": [[count, variance, expected_best(count, variance)] for count, variance in [(2, 1), (50, 0.02), (1000, 0.5)]],
    "series": [figures(series(1, 60, 0.001, 0.01, 4)), figures(series(2, 250, -0.0005, 0.02, 8))],
    "trials": {"returns": trials.tolist(), "overfitting": overfitting(trials)},
}
target = pathlib.Path(__file__).with_suffix(".json")
target.write_text(json.dumps(vectors, default=float) + "\n")
