import type { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sendRaw, speaking, type RawResponse } from '../rest/raw-http.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** A response after decompression. */
export interface WireResponse extends RawResponse {
  /** The bytes as text. */
  text: string;
}

/** Sends requests unchanged to one gateway over keep-alive connections. */
export class FuzzClient {
  readonly baseUrl: string;
  readonly #agent: Agent;
  readonly #key: string;
  readonly #operatorToken: string;

  constructor(baseUrl: string, key: string, operatorToken: string) {
    this.baseUrl = baseUrl;
    this.#agent = new (speaking(baseUrl).Agent)({ keepAlive: true });
    this.#key = key;
    this.#operatorToken = operatorToken;
  }

  async send({ operation, method, target, headers, body }: FuzzRequest): Promise<WireResponse> {
    const all = {
      ...headers,
      authorization: `Bearer ${operation.isOperators ? this.#operatorToken : this.#key}`,
      ...(body && { 'content-length': String(body.length) }),
    };
    const response = await sendRaw(
      this.baseUrl,
      { method, path: target, headers: all, body },
      { agent: this.#agent },
    );
    const isZipped = response.headers['content-encoding'] === 'gzip' && response.bytes.length > 0;
    const bytes = isZipped ? gunzipSync(response.bytes) : response.bytes;
    return { ...response, bytes, text: bytes.toString() };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** How many requests of each kind to send: FUZZ_RUNS=5000 for a long search. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
/** Generous, because the machine may be busy with other tests. */
const PATIENCE_MS = 240_000 + 40 * RUNS;

/** Options of tests that send requests. */
export const WHILE_SENDING = { timeout: PATIENCE_MS };

/**
 * Sends requests one after another and stops at the first answer with a fault. The error shows the smallest request with that
 * fault, as a curl line.
 */
export async function sendAll(
  client: FuzzClient,
  requests: fc.Arbitrary<FuzzRequest>,
  faultsOf: (response: WireResponse, request: FuzzRequest) => string[] | Promise<string[]>,
  numRuns = RUNS,
): Promise<void> {
  const sent = fc.asyncProperty(requests, async (request) => {
    const faults = await faultsOf(await client.send(request), request);
    if (faults.length > 0) throw new Error([...faults, request.curl(client.baseUrl)].join('\n'));
  });
  await fc.assert(sent, { numRuns });
}
