import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import { featureTable } from '#quant/features/build-feature-table.ts';
import { undecidedOutcomes } from '#quant/labels/triple-barrier.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import type { ReadArrow } from '#market-reader/arrow-batch.ts';
import { loadPanel, readRowCount } from '#market-reader/read-panel.ts';
import { defaultBarriers } from '#models/default-runs.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { BrokerMonths } from './broker-months.ts';
import type { NamedMonths } from './named-months.ts';
import type { ComputedCache } from '../cache/computed-cache.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';

/**
 * Number of newest trading days whose broker rows are kept: the longest look-back of a model plus two weeks of earlier analysis
 * dates. Each day costs less than a megabyte, and a hundredth of a second at start.
 */
const RECENT_DAYS = 30;

interface Held {
  market: SharedMarket;
  panel: Panel;
  months: BrokerMonths;
}

/** Reads dataset versions, and the broker rows of those that it has read. */
export class MarketReader {
  readonly #readArrow: ReadArrow;
  readonly #cache: ComputedCache | undefined;
  /** By version, oldest first. */
  readonly #held = new Map<string, Held>();

  constructor(clickhouse: ClickHouseClient, cache?: ComputedCache) {
    this.#readArrow = (sql, params) => readArrow(clickhouse, sql, params);
    this.#cache = cache;
  }

  /** Reads a version, from the cache if it is there. */
  async read(dataset: DatasetToLoad): Promise<SharedMarket> {
    const { version, kind, broker_data, fingerprint, broker_segments: segments } = dataset;
    const name = `market ${JSON.stringify([version, fingerprint, dataset.bars, segments])}`;
    const cached = await this.#cache?.find<CachedMarket>(name);
    const columns = cached ?? (await this.#columnsOf(dataset));
    if (!cached) void this.#cache?.keep(name, columns);
    const rowCount = columns.features.ticker.length;
    const market = {
      ...columns,
      dataset: { version, kind, broker_data },
      fingerprint,
      segments,
      outcomes: defaultBarriers().map((barriers) => ({ barriers, outcomes: undecidedOutcomes(rowCount) })),
    };
    this.hold(market);
    return market;
  }

  /** Makes the broker rows of a version available that another reader has read, with the months that it has read. */
  hold(market: SharedMarket, read: NamedMonths = new Map()): void {
    const { version } = market.dataset;
    const panel = new Panel(market.panel);
    const before = [...this.#held.values()].at(-1)?.months;
    const rows = { panel, version, segments: market.segments };
    const months = new BrokerMonths(this.#readArrow, rows, this.#cache, before);
    months.keep(read);
    this.#held.set(version, { market, panel, months });
  }

  forget(version: string): void {
    this.#held.delete(version);
  }

  /** Broker rows of the regular market on these days. */
  flowOf(version: string, span: DaySpan): Promise<FlowColumns> {
    const { panel, market } = this.#of(version);
    const { segments } = market;
    return this.#flow({ panel, version, segments }, span);
  }

  /** Summaries of the broker rows of the months that have days of the span. */
  monthsOf(version: string, span: DaySpan): Promise<BrokerMonth[]> {
    return this.#of(version).months.of(span);
  }

  readMonthsOf(version: string): NamedMonths {
    return this.#of(version).months.read;
  }

  #of(version: string): Held {
    const held = this.#held.get(version);
    if (!held) throw new Error(`dataset ${version} is no longer held`);
    return held;
  }

  /** Only of whole days, so that nothing is trained on a partial one or says anything of it. */
  async #columnsOf({
    version,
    bars,
    whole_until,
    last_date,
    broker_segments: segments,
  }: DatasetToLoad): Promise<CachedMarket> {
    const newest = [...this.#held.values()].at(-1);
    const held = newest && { version: newest.market.dataset.version, panel: newest.panel };
    const panel = await loadPanel(this.#readArrow, version, held, whole_until);
    const isWhole = whole_until === last_date;
    const stored = isWhole ? panel.rowCount : await readRowCount(this.#readArrow, { version });
    if (stored !== bars) throw new Error(`${version} has ${stored} bars instead of ${bars}`);
    const lastDay = panel.dayCount - 1;
    const recent = { firstDay: Math.max(0, lastDay + 1 - RECENT_DAYS), lastDay };
    const recentFlow = await this.#flow({ panel, version, segments }, recent);
    const regime = regimeHistory(panel);
    return {
      panel: panel.columns,
      recentFlow,
      regime,
      features: featureTable(panel, regime).columns,
    };
  }

  async #flow(
    rows: { panel: Panel; version: string; segments: readonly string[] },
    span: DaySpan,
  ): Promise<FlowColumns> {
    return (await loadBrokerFlow(this.#readArrow, { ...rows, market: 'REG', ...span })).columns;
  }
}

/** The part of a market that takes time to read or to compute. */
type CachedMarket = Pick<SharedMarket, 'panel' | 'recentFlow' | 'regime' | 'features'>;
