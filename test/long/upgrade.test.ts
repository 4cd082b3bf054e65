import { expect, test } from 'vitest';
import { NEXT, upgradeUnderLoad } from '#support/fleets/upgrade.ts';

const UPGRADE_MS = 600_000;

test(
  'a fleet is upgraded to new schemas under load, with brief 503s and no other failed request',
  { timeout: UPGRADE_MS },
  async () => {
    const { unexpected, requests, migrations, states } = await upgradeUnderLoad();
    expect(unexpected).toEqual({ runs: [], consents: [], quotes: [], usage: [] });
    expect(Math.min(...Object.values(requests))).toBeGreaterThan(20);
    expect(new Set(Object.values(migrations))).toEqual(new Set([NEXT]));
    expect(states.filter((state) => state !== 'succeeded')).toEqual([]);
  },
);
