import { setTimeout as sleep } from 'node:timers/promises';
import { SOFT_LIFETIME_MS } from '#gateway/auth/key-cache.ts';
import { Rest } from '#support/fleets/rest.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';
import { issueKeys, type KeysOperator } from './keys-operator.ts';

const REVOCATIONS = 20;
const LOOK_PAUSE_MS = 1;

/** From the operator's call that disables a key in use until a request with it is refused. */
export async function revocationFigure(operator: KeysOperator, baseUrl: string): Promise<Figure> {
  const keys = await issueKeys(operator, REVOCATIONS);
  const times: number[] = [];
  for (const [index, { id, secret }] of keys.entries()) {
    const rest = new Rest(baseUrl, secret);
    await untilAnswered(rest, 200);
    // At another age of what the gateway has cached each time.
    await sleep((SOFT_LIFETIME_MS * index) / REVOCATIONS);
    await untilAnswered(rest, 200);
    const begunMs = performance.now();
    const refused = untilAnswered(rest, 403);
    await operator.client.disableKey({ id }, operator.call);
    await refused;
    times.push(performance.now() - begunMs);
  }
  const [p50, max] = [quantile(times, 0.5), Math.max(...times)].map((ms) => ms.toFixed(1));
  return {
    what: `from disabling a key in use to its first 403 (${REVOCATIONS} keys, p50 / max)`,
    measured: `${p50} / ${max} ms`,
    bar: '< 1 s',
  };
}

/** Another status than these two is an error. */
async function untilAnswered(rest: Rest, wanted: 200 | 403): Promise<void> {
  for (;;) {
    const { status } = await rest.get('/api/v1/scopes');
    if (status === wanted) return;
    if (status !== 200) throw new Error(`a key in use was answered ${status}`);
    await sleep(LOOK_PAUSE_MS);
  }
}
