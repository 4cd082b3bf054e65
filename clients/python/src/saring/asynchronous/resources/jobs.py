"""Jobs: runs of models and simulations."""

from collections.abc import AsyncGenerator
from typing import List

from saring.asynchronous.follow_job import finished_job, follow_job
from saring.asynchronous.resources.resource import AsyncResource
from saring.call_limit import AsyncCallLimit
from saring.gen import types
from saring.pace import RUN_TIMEOUT_SECONDS
from saring.request import given


class AsyncJobs(AsyncResource):
    async def list(self, *, limit: int | None = None) -> List[types.Job]:
        """Recent jobs of the key, newest first, without results."""
        return (await self._rest.get("/api/v1/jobs", query=given(limit=limit)))["jobs"]

    async def get(self, job_id: str) -> types.Job:
        """One job, with its result while the service still has it in memory."""
        return await self._rest.get("/api/v1/jobs/{job_id}", job_id=job_id)

    async def cancel(self, job_id: str) -> types.Job:
        """Ends a queued run immediately, a running one soon, and returns the new state. One that
        has ended does not change.
        """
        return await self._rest.post("/api/v1/jobs/{job_id}/cancel", job_id=job_id)

    async def diff(self, job_id: str, before: str) -> types.RunDiff:
        """What happened in this run to the picks of an earlier one, and why."""
        return await self._rest.get(
            "/api/v1/jobs/{job_id}/diff", query={"with": before}, job_id=job_id
        )

    async def explain(self, job_id: str, ticker: str) -> types.Explanation:
        """Why a stock is or is not among the picks of a run."""
        return await self._rest.get(
            "/api/v1/jobs/{job_id}/explain", query={"ticker": ticker}, job_id=job_id
        )

    async def model(self, job_id: str) -> bytes:
        """The ONNX file of the model that the run trained."""
        return await self._rest.bytes("/api/v1/jobs/{job_id}/model", job_id=job_id)

    def follow(
        self, job_id: str, *, timeout_seconds: float = RUN_TIMEOUT_SECONDS
    ) -> AsyncGenerator[types.Job, None]:
        """Yields the job as it is now and at every change of its status, until it ends. The job
        comes without its result; `wait` and `get` return that.
        """
        return follow_job(self._rest, job_id, AsyncCallLimit(timeout_seconds))

    async def wait(
        self, job_id: str, *, timeout_seconds: float = RUN_TIMEOUT_SECONDS
    ) -> types.Job:
        """The job once it has ended, whatever its outcome."""
        return await finished_job(self._rest, job_id, AsyncCallLimit(timeout_seconds))
