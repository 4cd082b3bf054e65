import { connect, type Socket } from 'node:net';

/** What is written at once. */
const CHUNK_REQUESTS = 1_000;

/** One of the machine's own addresses other than the usual one, so that a stranger spends no budget but its own. */
export const STRANGER_ADDRESS = '127.0.0.2';

/** A client that sends requests one behind the other on one connection and reads no answer until it is told to. */
export class PipeliningStranger {
  readonly #socket: Socket;
  readonly #sent: Promise<void>;
  #isOver = false;

  /** @param requestNo the bytes of each request */
  constructor(baseUrl: string, requests: number, requestNo: (i: number) => string) {
    const { hostname, port } = new URL(baseUrl);
    this.#socket = connect({ host: hostname, port: Number(port), localAddress: STRANGER_ADDRESS });
    this.#socket.pause();
    // A server that has had enough resets the connection.
    this.#socket.on('error', () => {}).on('close', () => (this.#isOver = true));
    this.#sent = this.#sendAll(requests, requestNo);
  }

  /** Resolves once everything is sent, the connection is over, or the time is. */
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
