import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsCluster } from '../support/servers/nats-cluster.ts';

/** How long a node stays dead. */
const DEAD_MS = 10_000;
const LOOK_EVERY_MS = 250;
/** A node that came back has caught up by then. A second loss before that would be more than a cluster of three bears. */
const WHOLE_WITHIN_MS = 60_000;

/** Kills one node of a NATS cluster after another, each as soon as the one before has caught up again. */
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
    // `stop` reports it.
    this.#finished.catch(() => {});
  }

  /** Until the function that comes back is called, the node that is dead stays dead, and at most one dies if all live. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    return resolve;
  }

  /** Every node lives afterwards. Rejects when a node did not catch up. */
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
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Streams that not all nodes have all of. */
  async #behind(): Promise<string[]> {
    const copies = Object.entries(await this.#cluster.copies());
    return copies
      .filter(([, count]) => count !== this.#cluster.size)
      .map(([stream, count]) => `${stream} (${count})`);
  }
}
