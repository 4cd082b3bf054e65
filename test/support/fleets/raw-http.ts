import { once } from 'node:events';
import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';

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

interface RawOptions {
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
export async function sendRaw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
  { agent, signal = AbortSignal.timeout(DEADLINE_MS) }: RawOptions = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const where = { hostname, port, path, method, headers, signal, agent: agent ?? false };
  const sent = speaking(baseUrl).request(where).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  // A server that has answered may close the connection before it has read all of the body.
  sent.on('error', () => {});
  return { status: answer.statusCode!, headers: answer.headers, bytes: await buffer(answer) };
}
