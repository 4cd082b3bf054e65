import { Agent } from 'node:http';
import { sendRaw } from '../support/fleets/raw-http.ts';

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
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const { status, bytes } = await sendRaw(
      this.#baseUrl,
      { method: body ? 'POST' : 'GET', path, headers, body: body && JSON.stringify(body) },
      { agent: this.#agent },
    );
    const elapsedMs = performance.now() - begun;
    if (status === 200) return elapsedMs;
    if (status === 404) return undefined;
    throw new Error(`${path} was answered ${status}: ${bytes.toString()}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}
