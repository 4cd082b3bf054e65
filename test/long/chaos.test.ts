import { expect, test } from 'vitest';
import { chaos, brokenPromises } from '../chaos/chaos.ts';

/** Covers a start, some ten seconds of blows, and the time until everything has settled. */
const IN_TIME = { timeout: 200_000 };

test(
  'what clients were told holds while processes are killed and frozen and connections cut, held and slowed',
  IN_TIME,
  async () => {
    const longest = { kills: 8, minutes: 0, crashes: 0, powerCuts: 0, redundant: false, longestMs: 1_500 };
    const outcome = await chaos({ ...longest, clients: 6, seed: 4, progress: () => {} });
    expect(brokenPromises(outcome)).toEqual([]);
    // Make sure that something was tried.
    const { clients, importer, blows, told } = outcome;
    const { runs, consents, cancelled, walks } = clients.accepted;
    const tried = [runs, consents, cancelled].map(({ size }) => size);
    expect(Math.min(...tried, walks, importer.versions.length, told.runs)).toBeGreaterThan(0);
    expect([...blows.keys()].some((blow) => blow.includes('→'))).toBe(true);
  },
);
