import http, { type Agent, type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';

export interface RawRequest {
  method?: string;
  /** Path and query, sent as they are. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

/** An answer as it came: nothing is decompressed. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface RawOptions {
  /** Keeps connections open; without one each request has its own. */
  agent?: Agent;
  signal?: AbortSignal;
}

/** A run may be waited for a minute. */
const DEADLINE_MS = 75_000;

/** What speaks the protocol of a URL. */
export function speaking(url: string): typeof http | typeof https {
  return url.startsWith('https:') ? https : http;
}

/** Sends a request as it is. `fetch` would mend paths and headers, negotiate, and decode on the way. */
export function sendRaw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
  { agent, signal = AbortSignal.timeout(DEADLINE_MS) }: RawOptions = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = speaking(baseUrl).request({
      hostname,
      port,
      path,
      method,
      headers,
      signal,
      agent: agent ?? false,
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          bytes: Buffer.concat(pieces),
        }),
      );
    });
    sent.end(body);
  });
}
