import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import { Gauge } from 'prom-client';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { MarketFreshness } from './freshness/freshness.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';

/** @throws Error when no dataset answers, or one other than the one that should */
export function requireDataset(inUse: DatasetInUse): void {
  const { isLoaded, lostVersion } = inUse.current();
  if (!isLoaded) throw new Error('none is in memory');
  if (lostVersion !== '') throw new Error(`${lostVersion} should be served, but is missing from the store`);
}

/** Registers gauges for the dataset that answers, its age and what it lacks. They are read at each scrape. */
export function measureDataset(inUse: DatasetInUse, freshness: MarketFreshness): void {
  const registers = [metricsOf('market-data')];
  const served = () => {
    const { dataset, isLoaded } = inUse.current();
    return isLoaded ? dataset : undefined;
  };
  new Gauge({
    name: 'saring_dataset_info',
    help: 'The dataset that answers: its version and whether it is real or synthetic.',
    registers,
    labelNames: ['version', 'kind', 'broker_data'],
    collect() {
      this.reset();
      const dataset = served();
      if (!dataset) return;
      const { version, kind, broker_data } = dataset;
      this.set({ version, kind, broker_data }, 1);
    },
  });
  /** Nothing without a dataset: 0 would mean 1970. */
  const ofServed = (name: string, help: string, valueOf: (dataset: Dataset) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['kind'],
      collect() {
        this.reset();
        const dataset = served();
        const value = dataset && valueOf(dataset);
        if (value !== undefined) this.set({ kind: dataset!.kind }, value);
      },
    });
  ofServed(
    'saring_dataset_published_timestamp_seconds',
    'When the dataset that answers was published.',
    ({ published_at }) => published_at && published_at.getTime() / 1_000,
  );
  ofServed(
    'saring_dataset_last_day_timestamp_seconds',
    'The last whole trading day of the dataset that answers, at midnight in UTC.',
    (dataset) => Date.parse(wholeUntil(dataset)) / 1_000,
  );
  ofServed(
    'saring_dataset_behind_trading_days',
    'Trading days that are due and missing at the end of the dataset that answers.',
    (dataset) => freshness.of(dataset).behind_trading_days,
  );
  ofServed(
    'saring_dataset_late',
    '1 while a trading day is missing that should have arrived some time ago; else 0.',
    (dataset) => (freshness.of(dataset).is_late ? 1 : 0),
  );
  new Gauge({
    name: 'saring_dataset_loaded',
    help: '1 while a dataset answers, and the one that should; else 0.',
    registers,
    collect() {
      const { isLoaded, lostVersion } = inUse.current();
      this.set(isLoaded && lostVersion === '' ? 1 : 0);
    },
  });
}
