import type { AvailableData } from '#models/inputs/data-needs.ts';
import type { MarketClients } from '../connect-market.ts';
import type { CalledMarket } from '#foundation/test-market.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { randomId } from '#foundation/ids.ts';
import { PREPARE_WITHIN_MS } from '#shared/life-signs/worker-heartbeats.ts';
import { endedWithin } from '#platform/process/waiting.ts';

type Datasets = Pick<MarketClients['datasets'], 'listTradingDays' | 'getCurrentDataset'>;

/**
 * The whole trading days of the served dataset. They let a run state which day it will analyse as soon as it is submitted.
 * While market-data is unavailable, the last days read remain valid. A newly added day may be missing for a moment: the
 * run analyses it nevertheless and reports it when it ends.
 */
export class TradingDays {
  readonly #datasets: Datasets;
  readonly #call: { market?: CalledMarket; timeoutMs?: number };
  readonly #isPrepared: (version: string) => boolean;
  #version = '';
  /** YYYY-MM-DD, ascending. */
  #days: readonly string[] = [];
  readonly #firstRead = Promise.withResolvers<void>();
  #stocks = 0;
  #brokerDates: AvailableData['brokerDates'];
  /** The last day of the version that workers use while they prepare the served one, and until when. */
  #before: { lastDay: string; untilMs: number } | undefined;

  /** @param isPrepared whether workers have trained what runs with the defaults need on a version */
  constructor(
    datasets: Datasets,
    isPrepared: (version: string) => boolean,
    call: { market?: CalledMarket; timeoutMs?: number } = {},
  ) {
    this.#datasets = datasets;
    this.#isPrepared = isPrepared;
    this.#call = call;
  }

  /** Reads the days again if a different dataset version is served. */
  async refresh(): Promise<void> {
    const known = { known_version: this.#version };
    const call = () => ({ requestId: randomId('req'), ...this.#call });
    const { version, days } = await this.#datasets.listTradingDays(known, call());
    if (version === this.#version) return;
    const { dataset } = await this.#datasets.getCurrentDataset({}, call());
    // Another version came between the two answers. The next call reads both again.
    if (dataset?.version !== version) return;
    const lastDay = this.isLearning ? this.#before!.lastDay : this.#days.at(-1);
    this.#before =
      lastDay === undefined ? undefined : { lastDay, untilMs: performance.now() + PREPARE_WITHIN_MS };
    this.#version = version;
    this.#days = days.filter((day) => day <= wholeUntil(dataset));
    this.#firstRead.resolve();
    this.#stocks = dataset.tickers;
    const { broker_first_date: first, broker_last_date: last } = dataset;
    this.#brokerDates = first === '' ? undefined : { first, last };
  }

  /** The served version, as last read; empty while none is known. */
  get version(): string {
    return this.#version;
  }

  /** What the version has of the data that models need. */
  get data(): AvailableData {
    return { dates: this.#days, stocks: this.#stocks, brokerDates: this.#brokerDates };
  }

  /** Whether any days have been read, for which this waits at most `ms`: none are known in the first moments after a start. */
  areKnownWithin(ms: number): Promise<boolean> {
    return endedWithin(this.#firstRead.promise, ms);
  }

  /** The last trading day on or before a date (YYYY-MM-DD); undefined if none is known. */
  onOrBefore(date: string): string | undefined {
    return this.#days.findLast((day) => day <= date);
  }

  /** Whether workers learn from the served version, and use the previous one meanwhile. */
  get isLearning(): boolean {
    if (this.#before && (performance.now() > this.#before.untilMs || this.#isPrepared(this.#version)))
      this.#before = undefined;
    return this.#before !== undefined;
  }

  /**
   * The trading day that a run analyses which asks for the newest data up to a date: while workers learn from a version that
   * brought a day, the last one before it, because a run that waits for what they learn would take seconds longer.
   */
  newestTrained(date: string): string | undefined {
    const known = this.onOrBefore(date);
    if (known === undefined || !this.isLearning) return known;
    const { lastDay } = this.#before!;
    return known < lastDay ? known : this.onOrBefore(lastDay);
  }

  /** The trading days between two dates (YYYY-MM-DD), both included, ascending. */
  between(from: string, to: string): string[] {
    return this.#days.filter((day) => day >= from && day <= to);
  }

  /** The first and the last trading day; undefined while none are known. */
  get span(): { first: string; last: string } | undefined {
    const [first, last] = [this.#days[0], this.#days.at(-1)];
    return first !== undefined && last !== undefined ? { first, last } : undefined;
  }
}

/** Without a dataset, and in the first moments after a start, nobody knows which day a run would analyse. */
export function daysUnknown(): ServiceError {
  return new ServiceError(
    'data_unavailable',
    'The trading days of the market are not known at the moment, because its data are not loaded. Try again.',
  );
}
