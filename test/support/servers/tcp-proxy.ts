import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Data that has arrived in one direction of a connection and has not been forwarded. */
interface Waiting {
  /** Undefined when the connection has ended. */
  bytes: Buffer | undefined;
  dueMs: number;
}

/**
 * Stands between clients and a server and simulates a network: slow, cut, stalled, or silent on connections that the other end
 * has lost. It can redirect to another server, as an address that moves does.
 */
export class TcpProxy {
  #target: URL;
  readonly #server: Server;
  readonly #speaking = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  #delayMs = 0;
  #isCut = false;
  #held: PromiseWithResolvers<void> | undefined;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The target's URL, with the address of the proxy. */
  get url(): string {
    return Object.assign(new URL(this.#target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** Forwards nothing more on existing connections, not even their end. New connections work. */
  silence(): void {
    this.#speaking.clear();
  }

  /** Delays everything by this time in both directions, keeping the order. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** Resets every connection, and each new one immediately. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Holds all data back until `mend`, which delivers it, as after retransmission. */
  hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  /** Undoes `slow`, `cut` and `hold`. */
  mend(): void {
    this.#delayMs = 0;
    this.#isCut = false;
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Directs new connections to this target. Existing connections stay. */
  leadTo(target: string): void {
    this.#target = new URL(target);
  }

  /** Directs new connections to this target and ends existing ones. */
  moveTo(target: string): void {
    this.leadTo(target);
    this.#endAll();
  }

  stop(): void {
    this.mend();
    this.#endAll();
    this.#server.close();
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #join(client: Socket): void {
    if (this.#isCut) return void client.resetAndDestroy();
    const server = connect({ port: Number(this.#target.port), host: this.#target.hostname, noDelay: true });
    client.setNoDelay();
    this.#speaking.add(client);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      const waiting: Waiting[] = [];
      const pass = (bytes?: Buffer) => {
        waiting.push({ bytes, dueMs: performance.now() + this.#delayMs });
        if (waiting.length === 1) void this.#passOn(waiting, client, to);
      };
      this.#sockets.add(from);
      from.on('data', pass);
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        pass();
      });
    }
  }

  async #passOn(waiting: Waiting[], client: Socket, to: Socket): Promise<void> {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const early = next.dueMs - performance.now();
      if (early > 0) await sleep(early, undefined, { ref: false });
      if (this.#held) await this.#held.promise;
      if (this.#speaking.has(client)) {
        if (next.bytes) to.write(next.bytes);
        else to.destroySoon();
      }
      waiting.shift();
    }
  }
}
