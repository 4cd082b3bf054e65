import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { FuzzRequest } from './fuzz-request.ts';

/** An answer as it came, decompressed. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  /** The same as text. */
  text: string;
}

/** A run may be waited for a minute. */
const DEADLINE_MS = 75_000;

/** Sends requests as they are, over connections that stay open. `fetch` would mend paths and headers on the way. */
export class GatewayClient {
  readonly baseUrl: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.baseUrl = baseUrl;
    this.#key = key;
  }

  send({ method, target, headers, body }: FuzzRequest): Promise<WireAnswer> {
    const { hostname, port } = new URL(this.baseUrl);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...{ hostname, port, method, path: target, agent: this.#agent, timeout: DEADLINE_MS },
        headers: {
          ...headers,
          authorization: `Bearer ${this.#key}`,
          ...(body && { 'content-length': body.length }),
        },
      });
      outgoing.on('response', (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const sent = Buffer.concat(pieces);
          const isZipped = incoming.headers['content-encoding'] === 'gzip' && sent.length > 0;
          const bytes = isZipped ? gunzipSync(sent) : sent;
          const { statusCode = 0, headers } = incoming;
          resolve({ status: statusCode, headers, bytes, text: bytes.toString() });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${DEADLINE_MS} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
