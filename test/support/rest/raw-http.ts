import { once } from 'node:events';
import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface RawRequest {
  method?: string;
  /** Path and query, sent unchanged. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

/** A response as received: nothing is decompressed. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

interface RawOptions {
  /** Keeps connections open. Without an agent each request has its own connection. */
  agent?: Agent;
  signal?: AbortSignal;
}

/** A request may wait up to a minute for a run. */
const DEADLINE_MS = 75_000;

/** The module for the protocol of a URL. */
export function speaking(url: string): typeof http | typeof https {
  return url.startsWith('https:') ? https : http;
}

/** Sends a request unchanged. `fetch` would normalise paths and headers, negotiate, and decode the response. */
export async function sendRaw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
  { agent, signal = AbortSignal.timeout(DEADLINE_MS) }: RawOptions = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const where = { hostname, port, path, method, headers, signal, agent: agent ?? false };
  const sent = speaking(baseUrl).request(where).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // A server that has answered may close the connection before it has read the whole body.
  sent.on('error', () => {});
  return { status: response.statusCode!, headers: response.headers, bytes: await buffer(response) };
}
