import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#quant/random.ts';
import { ClickHouseProxy } from '../support/servers/clickhouse-proxy.ts';
import { PrivateServer } from '../support/servers/private-server.ts';

/** How a server looks whose disks are busy with somebody else's merges: everything is late, and some of it very. */
const USUAL_MS = { from: 50, to: 500 };
const STALL_MS = { from: 2_000, to: 6_000 };
/** Beyond 3 s a reader of the ledger is told that it cannot be read, so about half of these become such answers. */
const STALLED_SHARE = 0.03;
const SEED = 5;

/**
 * A ClickHouse of one's own that keeps every question waiting once it is slowed down: those of the usage service's
 * readers and writer, of market-data and of the workers alike, since a server is slow to all. Asked directly it is as
 * fast as ever.
 */
export class SlowClickHouse {
  /** Questions that were kept waiting, and how many of them for seconds. */
  delayed = 0;
  stalled = 0;
  readonly #server: PrivateServer;
  readonly #proxy: ClickHouseProxy;
  readonly #random = new Random(SEED);

  private constructor(server: PrivateServer, proxy: ClickHouseProxy) {
    this.#server = server;
    this.#proxy = proxy;
  }

  static async start(): Promise<SlowClickHouse> {
    const server = await PrivateServer.clickhouse();
    return new SlowClickHouse(server, await ClickHouseProxy.start(server.url));
  }

  /** For the fleet. */
  get url(): string {
    return this.#proxy.url;
  }

  /** For whoever checks what is stored. */
  get directUrl(): string {
    return this.#server.url;
  }

  slowDown(): void {
    this.#proxy.onQuestion = () => this.#keepWaiting();
  }

  async stop(): Promise<void> {
    this.#proxy.stop();
    await this.#server.remove();
  }

  #keepWaiting(): Promise<void> {
    const stalls = this.#random.chance(STALLED_SHARE);
    this.delayed++;
    if (stalls) this.stalled++;
    const { from, to } = stalls ? STALL_MS : USUAL_MS;
    return sleep(this.#random.between(from, to));
  }
}
