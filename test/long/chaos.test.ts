import { expect, test } from 'vitest';
import { chaos, brokenPromises } from '../chaos/chaos.ts';

test('what clients were told holds while processes are killed and frozen and connections cut, held and slowed', async () => {
  const longest = { kills: 8, minutes: 0, crashes: 0, powerCuts: 0, redundant: false, longestMs: 1_500 };
  const outcome = await chaos({ ...longest, clients: 6, seed: 4, progress: () => {} });
  expect(brokenPromises(outcome)).toEqual([]);
  // Make sure that something was tried.
  const { clients, importer, blows, told } = outcome;
  const { runs, consents, cancelled, walks } = clients.accepted;
  const tried = { runs: runs.size, consents: consents.size, cancelled: cancelled.size, walks };
  const numbers = { ...tried, told: told.runs, imported: importer.versions.length };
  expect(Object.entries(numbers).filter(([, times]) => times === 0)).toEqual([]);
  expect([...blows.keys()].some((blow) => blow.includes('→'))).toBe(true);
});
