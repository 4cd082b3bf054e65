import { expect, test } from 'vitest';
import { whenAborted } from './stop-signals.ts';

test('a wish to stop that was told before anybody listened is not missed', async () => {
  await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
});

test('a wish to stop that is told later resolves then', async () => {
  const told = new AbortController();
  const stopped = whenAborted(told.signal);
  told.abort();
  await expect(stopped).resolves.toBeUndefined();
});
