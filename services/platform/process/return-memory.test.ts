import { expect, test } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';
import { returnMemory } from './return-memory.ts';

const BLOCKS = 4_000;
/** Small enough to lie in the allocator's own memory. */
const BLOCK_BYTES = 16 * 1024;

test('returnMemory gives freed memory below a block in use back to the system', async () => {
  // One block of the last ones stays, so that the allocator itself gives nothing back.
  const inUse = Array.from({ length: BLOCKS }, () => new Uint8Array(BLOCK_BYTES).fill(1)).at(-1)!;
  const before = await residentAfterCollection();
  expect(await returnMemory()).toBe(true);
  expect(before - process.memoryUsage.rss()).toBeGreaterThan((BLOCKS * BLOCK_BYTES) / 4);
  expect(inUse[0]).toBe(1);
});

/** Waits until V8 has collected the blocks. */
async function residentAfterCollection(): Promise<number> {
  const { promise: collected, resolve: report } = Promise.withResolvers<void>();
  const registry = new FinalizationRegistry(report);
  registry.register(new Uint8Array(BLOCK_BYTES), undefined);
  while (!(await Promise.race([collected.then(() => true), nextTurn()]))) collectGarbage();
  return process.memoryUsage.rss();
}

async function nextTurn(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  return false;
}
