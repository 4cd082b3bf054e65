import { expect, test } from 'vitest';
import { freezeWorkerMidRun, ledgerFaults, settle } from '#support/fleets/broken-fleet.ts';
import { thaw } from '#support/processes/signals.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { own } from './fleet.ts';

/** Not how soon: `interruptions.test.ts` limits that, and `make bench` measures it. */

test('kill -9 of a worker during a run interrupts the run', async () => {
  const { jobId, worker } = await freezeWorkerMidRun(own);
  await own.fleet.kill9(worker);
  const job = await pollUntilFinal(own.rest, jobId);
  expect(job.status).toBe('interrupted');
  expect(job.error!.message).not.toBe('');
  await expect.poll(() => ledgerFaults(own, [jobId])).toEqual({ doubled: 0, open: 0, missing: 0 });
});

test('a run is interrupted even if no worker responds, and a frozen worker that resumes does not undo it', async () => {
  const { jobId, worker } = await freezeWorkerMidRun(own);
  // Frozen, not killed: the supervisor restarts a killed worker immediately, but a frozen one only after the run has ended.
  const { pids } = await own.fleet.file();
  process.kill(pids['model-worker-2']!, 'SIGSTOP');
  try {
    expect((await pollUntilFinal(own.rest, jobId)).status).toBe('interrupted');
  } finally {
    thaw([worker, 'model-worker-2'].map((name) => pids[name]!));
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await pollUntilFinal(own.rest, jobId)).status).toBe('interrupted');
});

test('runs submitted while no worker is up wait and then succeed', async () => {
  const { pids } = await own.fleet.file();
  const workers = ['model-worker-1', 'model-worker-2'].map((name) => pids[name]!);
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  const jobs = await Promise.all(Array.from({ length: 5 }, () => submitRun(own.rest)));
  const states = await settle(
    own.rest,
    jobs.map((job) => job.job_id),
  );
  expect([...states.values()]).toEqual(Array(5).fill('succeeded'));
});
