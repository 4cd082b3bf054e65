import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsCluster } from '#support/servers/nats-cluster.ts';

/** How long a node stays down. */
const DEAD_MS = 10_000;
const CHECK_EVERY_MS = 250;
/** Time limit for a restarted node to catch up. A second loss before that would be too much for a cluster of three. */
const WHOLE_WITHIN_MS = 60_000;

/** Kills the nodes of a NATS cluster in turn, each only after the previous one has caught up. */
export class NodeOutages {
  /** How many nodes were killed. */
  count = 0;
  readonly #cluster: NatsCluster;
  readonly #end = new AbortController();
  readonly #finished: Promise<void>;
  #released = Promise.resolve();

  constructor(cluster: NatsCluster) {
    this.#cluster = cluster;
    this.#finished = this.#killInTurn();
    // `stop` reports the error.
    this.#finished.catch(() => {});
  }

  /** Until the returned function is called, a node that is down stays down. If all nodes run, at most one is killed. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    return resolve;
  }

  /** All nodes run afterwards. Rejects if a node did not catch up. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#finished;
  }

  async #killInTurn(): Promise<void> {
    for (let node = 0; !this.#end.signal.aborted; node = (node + 1) % this.#cluster.size) {
      await this.#untilWhole();
      await this.#cluster.kill9(node);
      this.count++;
      await sleep(DEAD_MS, undefined, { signal: this.#end.signal }).catch(() => undefined);
      await this.#released;
      await this.#cluster.restart(node);
    }
    await this.#untilWhole();
  }

  async #untilWhole(): Promise<void> {
    const giveUpAt = performance.now() + WHOLE_WITHIN_MS;
    for (;;) {
      const behind = await this.#behind();
      if (behind.length === 0) return;
      if (performance.now() > giveUpAt)
        throw new Error(`not whole after ${WHOLE_WITHIN_MS / 1_000} s: ${behind.join(', ')}`);
      await sleep(CHECK_EVERY_MS);
    }
  }

  /** Streams that are not complete on all nodes. */
  async #behind(): Promise<string[]> {
    const copies = Object.entries(await this.#cluster.copies());
    return copies
      .filter(([, count]) => count !== this.#cluster.size)
      .map(([stream, count]) => `${stream} (${count})`);
  }
}
