import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What has arrived of one direction of a connection and is not passed on yet. */
interface Waiting {
  /** Undefined for the end of the connection. */
  bytes: Buffer | undefined;
  dueMs: number;
}

/**
 * Stands between clients and a server, and is what a network can be: slow, cut, held up, or silent for connections whose
 * other end has lost them. It can lead to another server, as an address that moves does.
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

  /** The target's, by way of the proxy. */
  get url(): string {
    return Object.assign(new URL(this.#target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** From now on nothing passes on the connections there are, not even their end; new ones work. */
  silence(): void {
    this.#speaking.clear();
  }

  /** From now on everything arrives so much later, in either direction and in its order. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends every connection, and each new one at once. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Nothing passes any more. It arrives once this is mended, as what a network sends again. */
  hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  /** Ends what `slow`, `cut` and `hold` began. */
  mend(): void {
    this.#delayMs = 0;
    this.#isCut = false;
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** From now on connections lead there; those there are go on. */
  leadTo(target: string): void {
    this.#target = new URL(target);
  }

  /** The same, and those there are end. */
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
