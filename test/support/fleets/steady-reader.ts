import { Agent, get as httpGet } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Faster reads would measure how readers wait for each other. */
const PAUSE_MS = 5;

/** Reads one market-data path over a connection of its own, again and again, until told to stop. */
export class SteadyReader {
  /** Dataset versions in the order in which they answered, each as often as it took the place of another. */
  readonly versions: string[] = [];
  readonly failures: string[] = [];
  /** Of the slowest read. */
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

  #read(): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#key}` };
      const request = httpGet(this.#url, { agent: this.#agent, headers }, (answer) => {
        const version = answer.headers['x-dataset-version'];
        answer.once('error', reject);
        answer.once('end', () =>
          answer.statusCode === 200 && typeof version === 'string'
            ? resolve(version)
            : reject(new Error(`answered with ${answer.statusCode}`)),
        );
        answer.resume();
      });
      request.once('error', reject);
    });
  }
}
