import { connect, type Socket } from 'node:net';

/** How many requests are written together. */
const CHUNK_REQUESTS = 1_000;

/** Another loopback address, so that an unauthenticated client spends only its own budget. */
export const UNAUTHENTICATED_ADDRESS = '127.0.0.2';

/** The bytes of a request without a body. */
export const request = (target: string, headers = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`;

export const FLOODING_CONNECTIONS = 100;
const FLOOD_REQUESTS = 20_000;
/** What each connection of a flooding unauthenticated client sends. */
export const FLOODS: Record<string, (connection: number) => string> = {
  'without a key': () => request('/api/v1/models').repeat(FLOOD_REQUESTS),
  'with unknown keys': (connection) =>
    request('/api/v1/models', `X-API-Key: guess-${connection}\r\n`).repeat(FLOOD_REQUESTS),
  'to the health check': () => request('/api/health').repeat(FLOOD_REQUESTS),
  'as short as possible': () => 'GET / HTTP/1.1\r\n\r\n'.repeat(FLOOD_REQUESTS),
};

/** Opens connections of an unauthenticated client that each send these bytes, as far as they are taken, and read nothing. */
export function flood(
  baseUrl: string,
  connections: number,
  bytesOf: (connection: number) => string,
): Socket[] {
  const { hostname, port } = new URL(baseUrl);
  return Array.from({ length: connections }, (_, connection) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: UNAUTHENTICATED_ADDRESS });
    // A server may reset a connection that sends too much.
    socket.on('error', () => {}).pause();
    socket.write(bytesOf(connection));
    return socket;
  });
}

/** A client that pipelines requests on one connection and reads no response until asked to. */
export class PipeliningClient {
  readonly #socket: Socket;
  readonly #sent: Promise<void>;
  #isOver = false;

  /** @param requestNo the bytes of each request */
  constructor(baseUrl: string, requests: number, requestNo: (i: number) => string) {
    const { hostname, port } = new URL(baseUrl);
    this.#socket = connect({ host: hostname, port: Number(port), localAddress: UNAUTHENTICATED_ADDRESS });
    this.#socket.pause();
    // A server may reset a connection that sends too much.
    this.#socket.on('error', () => {}).on('close', () => (this.#isOver = true));
    this.#sent = this.#sendAll(requests, requestNo);
  }

  /** Resolves when everything is sent, the connection is over, or the timeout has passed. */
  async untilSent(timeoutMs: number): Promise<void> {
    await Promise.race([this.#sent, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  leave(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  async #sendAll(requests: number, requestNo: (i: number) => string): Promise<void> {
    for (let sent = 0; sent < requests && !this.#isOver; sent += CHUNK_REQUESTS) {
      const chunk = Array.from({ length: Math.min(CHUNK_REQUESTS, requests - sent) }, (_, i) =>
        requestNo(sent + i),
      );
      if (!this.#socket.write(chunk.join(''))) await this.#drained();
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('drain', resolve).once('close', resolve);
    });
  }
}
