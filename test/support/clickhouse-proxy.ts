import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Stands between a client and ClickHouse, so that a test can act when ClickHouse has answered and nobody knows yet. */
export class ClickHouseProxy {
  /** Called with the SQL after ClickHouse has answered; `false` drops the answer and the connection. */
  onAnswer: (sql: string) => Promise<boolean> | boolean = () => true;
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

  /** What the client connects to; user and password are those of ClickHouse. */
  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return Object.assign(new URL(this.#target), { port: String(port) }).href;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url!, `http://${this.#target.host}`);
      const body = await buffer(request);
      const { authorization, 'content-type': type } = request.headers;
      const answer = await fetch(url, {
        method: request.method!,
        headers: {
          authorization: authorization!,
          'accept-encoding': 'identity',
          ...(type ? { 'content-type': type } : {}),
        },
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const text = await answer.text();
      const sql = url.searchParams.get('query') ?? body.toString();
      if (!(await this.onAnswer(sql))) return void response.destroy();
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
    } catch {
      response.destroy();
    }
  }
}
