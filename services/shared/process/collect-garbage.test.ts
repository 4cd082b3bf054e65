import { expect, test } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

test('collectGarbage frees unreferenced objects', async () => {
  const { promise: collected, resolve: report } = Promise.withResolvers<string>();
  const registry = new FinalizationRegistry(report);
  registry.register({ panel: new SharedArrayBuffer(1_000) }, 'a replaced panel');
  // A reference that was read stays alive until the current turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(await collected).toBe('a replaced panel');
});
