/** Before each test file: a test that fails reports what services warned of meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { warningsSince } from '../processes/test-logs.ts';

/** Logs are written a moment after what they tell of. */
const WRITTEN_WITHIN_MS = 500;

afterEach(async ({ task }) => {
  const { state, startTime = 0 } = task.result ?? {};
  if (state !== 'fail') return;
  await sleep(WRITTEN_WITHIN_MS);
  task.meta.warnings = warningsSince(startTime);
});
