import { expect, test } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

test('what nothing refers to is collected', async () => {
  const gone = new WeakRef({ panel: new SharedArrayBuffer(1_000) });
  // A reference that was read stays alive until the turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.deref()).toBeUndefined();
});
