import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from './raw-http.ts';

/** With shorter pauses the reads would measure how readers wait for each other. */
const PAUSE_MS = 5;

/** Reads one market-data path repeatedly on its own connection until stopped. */
export class SteadyReader {
  /** Dataset versions in the order of the responses, added each time the version changes. */
  readonly versions: string[] = [];
  readonly failures: string[] = [];
  /** Duration of the slowest read. */
  longestMs = 0;
  reads = 0;
  readonly #url: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #done: Promise<void>;
  #isOver = false;

  constructor(url: string, key: string) {
    [this.#url, this.#key] = [url, key];
    this.#done = this.#readAll();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
    this.#agent.destroy();
  }

  async #readAll(): Promise<void> {
    while (!this.#isOver) {
      const startedAt = performance.now();
      try {
        const version = await this.#read();
        if (this.versions.at(-1) !== version) this.versions.push(version);
      } catch (error) {
        this.failures.push((error as Error).message);
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      this.reads++;
      await sleep(PAUSE_MS);
    }
  }

  async #read(): Promise<string> {
    const { origin, pathname, search } = new URL(this.#url);
    const requested = { path: pathname + search, headers: { authorization: `Bearer ${this.#key}` } };
    const { status, headers } = await sendRaw(origin, requested, { agent: this.#agent });
    const version = headers['x-dataset-version'];
    if (status !== 200 || typeof version !== 'string') throw new Error(`answered with ${status}`);
    return version;
  }
}
