/** Before each test file: a test that fails reports what services warned of meanwhile. */
import { afterEach } from 'vitest';
import { warningsSince } from './processes/test-logs.ts';

afterEach(({ task }) => {
  const { state, startTime = 0 } = task.result ?? {};
  if (state === 'fail') task.meta.warnings = warningsSince(startTime);
});
