import { Agent, request, type IncomingMessage } from 'node:http';

/** A request to the gateway. */
export interface BenchRequest {
  path: string;
  /** Sent as JSON by POST. */
  body?: object;
}

/** Asks one gateway over connections that stay open. */
export class KeepAliveClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #agent: Agent;

  constructor(baseUrl: string, key: string, connections: number) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * Milliseconds from sending the request to the last byte of its answer; undefined when there is no such thing in the
   * dataset, which says nothing about answers.
   * @throws Error when it is refused or fails
   */
  async timeOf({ path, body }: BenchRequest): Promise<number | undefined> {
    const begun = performance.now();
    const answer = await this.#send(path, body);
    const parts: Buffer[] = [];
    for await (const part of answer as AsyncIterable<Buffer>) parts.push(part);
    const elapsedMs = performance.now() - begun;
    if (answer.statusCode === 200) return elapsedMs;
    if (answer.statusCode === 404) return undefined;
    throw new Error(`${path} was answered ${answer.statusCode}: ${Buffer.concat(parts).toString()}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(path: string, body: object | undefined): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = { agent: this.#agent, method: body ? 'POST' : 'GET', headers };
    const sent = request(this.#baseUrl + path, options, resolve).on('error', reject);
    sent.end(body && JSON.stringify(body));
    return promise;
  }
}
