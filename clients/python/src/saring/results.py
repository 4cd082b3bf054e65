"""Results of runs."""

from typing import Any

from saring.errors import RunError
from saring.gen import types


def is_finished(job: types.Job) -> bool:
    return job["status"] not in ("queued", "running")


def result_of(job: types.Job) -> dict[str, Any]:
    """The result of a run that succeeded.

    Its members depend on the model and the view: `saring.types` has them, such as
    `CombinedCompactResult`. Raises RunError for any other run.
    """
    if job["result_available"] and "result" in job:
        return dict(job["result"])
    error = job.get("error")
    if error is None:
        raise RunError(
            "result_unavailable",
            "The result is no longer kept; read `summary`.",
            job_id=job["job_id"],
        )
    raise RunError(
        "run_interrupted" if job["status"] == "interrupted" else "run_failed",
        error["message"],
        job_id=job["job_id"],
    )
