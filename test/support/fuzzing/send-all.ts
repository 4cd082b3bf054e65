import fc from 'fast-check';
import type { FuzzRequest } from './fuzz-request.ts';
import type { FuzzClient, WireAnswer } from './fuzz-client.ts';

/** How many requests of each kind: FUZZ_RUNS=5000 for a long search. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100);
/** The machine may be busy with other tests. */
const PATIENCE_MS = 60_000 + 40 * RUNS;

/** For tests that send requests. */
export const WHILE_SENDING = { timeout: PATIENCE_MS };

/**
 * Sends requests one after the other. The first answer with a fault ends it, and the error shows the smallest request
 * that has it, as a curl line.
 */
export async function sendAll(
  client: FuzzClient,
  requests: fc.Arbitrary<FuzzRequest>,
  faultsOf: (answer: WireAnswer, request: FuzzRequest) => string[] | Promise<string[]>,
  numRuns = RUNS,
): Promise<void> {
  const sent = fc.asyncProperty(requests, async (request) => {
    const faults = await faultsOf(await client.send(request), request);
    if (faults.length > 0) throw new Error([...faults, request.curl(client.baseUrl)].join('\n'));
  });
  await fc.assert(sent, { numRuns });
}
