import type { Operation } from './openapi-document.ts';
import { RUNS } from './send-all.ts';

/** Each begins a run that others wait behind, though it is cancelled at once: what is fuzzed here is validation. */
const SHARE_OF_RUNS = 0.04;
/** The others have fewer inputs than market data has, and most of them ask a store where that answers from memory. */
const SHARE = { valid: 0.2, invalid: 0.4 };

/** How many requests of a kind an operation gets: as many as asked for, and fewer where each costs much. */
export function requestsEach({ operationId, tag }: Operation, kind: 'valid' | 'invalid'): number {
  const isRun = operationId === 'submitRun' && kind === 'valid';
  const share = tag === 'Market data' ? 1 : isRun ? SHARE_OF_RUNS : SHARE[kind];
  return Math.ceil(RUNS * share);
}
