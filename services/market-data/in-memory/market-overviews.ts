import { Worker } from 'node:worker_threads';
import { newestOverview, type MarketOverview } from '#quant/overview/market-overview.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

const WORKER = new URL('./overview-worker.ts', import.meta.url);
/** Computing takes a fraction of a second. Callers' own deadlines are longer than that and shorter than this. */
const DEADLINE_MS = 20_000;
/** An overview of so few bars takes some milliseconds, a tenth of the start of a thread. */
const FEW_BARS = 10_000;

/**
 * The overview of the last day of each dataset in memory, computed once. That reads every bar, so a worker thread does
 * it (which shares the panel's memory) while requests are answered, unless there are few.
 */
export class MarketOverviews {
  readonly #compute: (panel: Panel) => Promise<MarketOverview>;
  readonly #overviews = new WeakMap<Panel, Promise<MarketOverview>>();

  constructor(compute: (panel: Panel) => Promise<MarketOverview> = computedAside) {
    this.#compute = compute;
  }

  /**
   * Computes the overview before the first request. After a failure, that request tries again and reports the error.
   */
  async prepare(panel: Panel): Promise<void> {
    await this.of(panel).catch(() => {});
  }

  /** @throws ServiceError data_unavailable when it could not be computed; the next call tries again. */
  of(panel: Panel): Promise<MarketOverview> {
    const known = this.#overviews.get(panel);
    if (known) return known;
    const overview = this.#compute(panel).catch((cause: unknown) => {
      this.#overviews.delete(panel);
      const message = 'The market overview could not be worked out. Try again in a moment.';
      throw new ServiceError('data_unavailable', message, { cause });
    });
    this.#overviews.set(panel, overview);
    return overview;
  }
}

async function computedAside(panel: Panel): Promise<MarketOverview> {
  return panel.rowCount > FEW_BARS ? inOwnThread(panel) : newestOverview(panel);
}

async function inOwnThread(panel: Panel): Promise<MarketOverview> {
  const worker = new Worker(WORKER, { workerData: panel.columns, name: 'market overview' });
  const { promise: overview, resolve, reject } = Promise.withResolvers<MarketOverview>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread ended without an overview')));
  const overdue = setTimeout(() => reject(new Error(`not done within ${DEADLINE_MS / 1000} s`)), DEADLINE_MS);
  try {
    return await overview;
  } finally {
    clearTimeout(overdue);
    await worker.terminate();
  }
}
