import { HealthProbe } from './health-probe.ts';
import { QuoteBatches } from './quote-batches.ts';
import type { Services } from './services.ts';

/** What handlers may call. */
export interface Backend {
  services: Services;
  quotes: QuoteBatches;
  health: HealthProbe;
  /** Fires when the gateway stops: whoever holds a connection open answers with what there is. */
  stopping: AbortSignal;
}

export function createBackend(services: Services, stopping: AbortSignal, nowMs: () => number): Backend {
  return {
    services,
    stopping,
    quotes: new QuoteBatches((tickers, call) => services.marketData.getQuotes({ tickers }, call)),
    health: new HealthProbe(services, nowMs),
  };
}
