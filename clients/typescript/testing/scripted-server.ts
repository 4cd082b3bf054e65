import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { SaringClient, type ClientOptions } from '../index.ts';

/** A request that the server received, and when. */
interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

export type Reply = (res: ServerResponse, received: Received) => void;

/** A server that sends the replies of a test in order, and then none. */
class ScriptedServer {
  received: Received[] = [];
  baseUrl = '';
  #replies: Reply[] = [];
  readonly #server = createServer((req, res) => {
    const { method = '', url = '', headers } = req;
    const atMs = performance.now();
    void text(req).then((body) => {
      const received = { method, url, headers, body, atMs };
      this.received.push(received);
      this.#replies.shift()?.(res, received);
    });
  });

  /** Sets the replies to the next requests, and forgets all earlier requests. */
  script(...replies: Reply[]): void {
    this.received = [];
    this.#replies = replies;
  }

  client(options: Partial<ClientOptions> = {}): SaringClient {
    return new SaringClient({ baseUrl: this.baseUrl, apiKey: 'sar_test', ...options });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Gives a test file such a server. Call at the top level of the file. */
export function ownScriptedServer(): ScriptedServer {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  beforeEach(() => server.script());
  afterAll(() => server.stop());
  return server;
}

export const answer =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (res) =>
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An error as the API reports it. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  answer(
    {
      error: {
        code,
        message: `It is ${code}.`,
        request_id: 'req_1',
        docs_url: `/api/docs/errors/${code}`,
      },
    },
    status,
    headers,
  );

/** The connection ends without a response. */
export const dropped: Reply = (res) => res.destroy();

/** The connection ends in the middle of the response. */
export const brokenOff: Reply = (res) => {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.write('{"models": [', () => res.destroy());
};

/** No response ever comes. */
export const silent: Reply = () => undefined;
