import { expect, test } from 'vitest';
import { HEARTBEAT_MS, RunLifeSigns } from '#shared/life-signs/run-life-signs.ts';
import { POLL_PAUSE_MS } from '../create-models.ts';
import { SILENCE_MS } from './interruptions.ts';

/** The promise for a run whose worker dies. */
const INTERRUPTED_WITHIN_MS = 20_000;
/** The part of it for a round that takes long, and for writing the end. */
const AIR_MS = 4_000;
const STEP_MS = 50;
const ECHO_MS = HEARTBEAT_MS / 2;

test.each([0, 250, 500, 750])(
  'a run whose worker dies is found long before 20 s are over, with looks %i ms after echoes',
  (lateMs) => {
    for (let diesAtMs = 30_000; diesAtMs < 30_000 + HEARTBEAT_MS; diesAtMs += STEP_MS) {
      const signs = new RunLifeSigns();
      let foundAtMs: number | undefined;
      for (let now = 0; foundAtMs === undefined && now <= diesAtMs + INTERRUPTED_WITHIN_MS; now += STEP_MS) {
        if (now % ECHO_MS === 0) signs.heardEcho(now);
        if (now < diesAtMs && now % HEARTBEAT_MS === 0) signs.heardRun('job', now);
        const isLook = (now - lateMs) % POLL_PAUSE_MS === 0;
        if (isLook && signs.silentForMs('job', now) >= SILENCE_MS) foundAtMs = now;
      }
      expect(foundAtMs).toBeGreaterThan(diesAtMs);
      expect(foundAtMs! - diesAtMs).toBeLessThan(INTERRUPTED_WITHIN_MS - AIR_MS);
    }
  },
);
