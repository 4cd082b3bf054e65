import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between clients and a server; can let connections fall silent as a lost host does: open, without a byte. */
export class TcpProxy {
  readonly #target: URL;
  readonly #server: Server;
  readonly #speaking = new Set<Socket>();
  readonly #sockets = new Set<Socket>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The target's, by way of the proxy. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.#target), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  /** From now on nothing passes on the connections there are, not even their end; new ones work. */
  silence(): void {
    this.#speaking.clear();
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    this.#speaking.add(client);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => this.#speaking.has(client) && to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => this.#speaking.has(client) && to.destroy());
    }
  }
}
