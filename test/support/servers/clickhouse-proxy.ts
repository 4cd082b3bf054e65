import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Headers that ClickHouse needs: two ways to pass credentials, and the type of the body. */
const PASSED_ON = ['authorization', 'x-clickhouse-user', 'x-clickhouse-key', 'content-type'];

/** Stands between a client and ClickHouse, so that a test can act before a query arrives or after it is answered. */
export class ClickHouseProxy {
  /** Called with the SQL. The query is forwarded when this resolves, unless the client has left by then. */
  onQuestion: (sql: string) => Promise<void> | void = () => {};
  /** Called with the SQL after ClickHouse has answered; `false` drops the response and the connection. */
  onResponse: (sql: string) => Promise<boolean> | boolean = () => true;
  readonly #target: URL;
  readonly #server: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => void this.#forward(request, response));
  }

  static async start(target: string): Promise<ClickHouseProxy> {
    const proxy = new ClickHouseProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL for the client; user and password are those of ClickHouse. */
  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return Object.assign(new URL(this.#target), { port: String(port) }).href;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    try {
      const url = new URL(request.url!, `http://${this.#target.host}`);
      const body = await buffer(request);
      const sql = url.searchParams.get('query') ?? body.toString();
      await this.onQuestion(sql);
      const reply = await fetch(url, {
        method: request.method!,
        headers: { 'accept-encoding': 'identity', ...passedOn(request) },
        signal: left.signal,
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const bytes = Buffer.from(await reply.arrayBuffer());
      if (!(await this.onResponse(sql))) return void response.destroy();
      response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(bytes);
    } catch {
      response.destroy();
    }
  }
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const names = PASSED_ON.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
