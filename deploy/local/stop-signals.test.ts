import { expect, test } from 'vitest';
import { whenAborted } from './stop-signals.ts';

test('a stop requested before anyone listens is not missed', async () => {
  await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
});

test('a later stop resolves when it is requested', async () => {
  const request = new AbortController();
  const stopped = whenAborted(request.signal);
  request.abort();
  await expect(stopped).resolves.toBeUndefined();
});
