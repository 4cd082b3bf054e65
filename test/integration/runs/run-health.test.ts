import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import { watchRunHealth } from '#services/models/health/run-health.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testRuns();

test('a part that is down is a warning, and one that is up again is none', async () => {
  const lines: { level: string; part: string; msg: string }[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
  const log = pino({ formatters: { level: (level) => ({ level }) } }, { write });
  const states = new Map<string, boolean>();
  const report = (part: string, isUp: boolean) => states.set(part, isUp);
  onTestFinished(watchRunHealth({ ...own.parts, nats: own.worker, log, report }));
  await vi.waitFor(() => expect(states.get('workers')).toBe(false), IN_TIME);
  const beat = RunHeartbeat.encode({ worker_id: 'worker_test', job_ids: [] }).finish();
  const beating = setInterval(() => own.worker.connection.publish(subjects.runHeartbeats, beat), 500);
  onTestFinished(() => clearInterval(beating));
  await vi.waitFor(() => expect(states.get('workers')).toBe(true), IN_TIME);
  const ofWorkers = lines.filter(({ part }) => part === 'workers');
  expect(ofWorkers.map(({ level }) => level)).toEqual(['warn', 'info']);
  expect(ofWorkers.at(-1)!.msg).toBe('this part of runs is up again');
});
