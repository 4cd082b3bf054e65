import type { Operation } from './openapi-document.ts';
import { RUNS } from './send-all.ts';

/** Each begins a run that others wait behind, though it is cancelled at once; what is fuzzed here is its validation. */
const SHARE_OF_RUNS = 0.05;
/** A query of the ledger, or a write, where others are answered from memory. */
const SHARE_OF_STORED = 0.2;
const STORED = ['Usage', 'Admin usage', 'Consent'];

/** How many valid requests an operation gets: as many as asked for, and fewer where each costs much. */
export function validRequestsEach({ operationId, tag }: Operation): number {
  if (operationId === 'submitRun') return Math.ceil(RUNS * SHARE_OF_RUNS);
  return STORED.includes(tag) ? Math.ceil(RUNS * SHARE_OF_STORED) : RUNS;
}
