import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadPanel, type ReadArrow } from '#market-reader/read-panel.ts';
import { readArrow } from '#shared/clickhouse/clickhouse-arrow.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { derivedMarket, type DerivedMarket } from './derived-market.ts';
import { HeldBrokerDays } from './held-broker-days.ts';
import type { DatasetLabel } from '#models/screen.ts';
import type { DatasetToLoad } from './thread-messages.ts';

export interface LoadedPanel extends DerivedMarket {
  dataset: DatasetLabel;
  /** Broker rows of the regular market on the newest trading days. */
  recentFlow: BrokerFlow;
  brokerDays: HeldBrokerDays;
  /** Names of the segments in which the broker rows of the version are stored. */
  segments: readonly string[];
}

/**
 * Number of newest trading days whose broker rows are kept: the longest look-back of a model plus two weeks of earlier analysis
 * dates. Each day costs less than a megabyte, and a hundredth of a second at start.
 */
const RECENT_DAYS = 30;

/** The dataset version in memory. A new version replaces it only once it has been read completely. */
export class HeldPanel {
  readonly #readArrow: ReadArrow;
  #held: LoadedPanel | undefined;
  #loading: { version: string; loaded: Promise<LoadedPanel> } | undefined;

  constructor(clickhouse: ClickHouseClient) {
    this.#readArrow = (sql, params) => readArrow(clickhouse, sql, params);
  }

  /** Undefined until the first version has been read. */
  get held(): LoadedPanel | undefined {
    return this.#held;
  }

  /** The panel of this version, read unless it is held. Concurrent callers of the same version share one read. */
  async load(dataset: DatasetToLoad): Promise<LoadedPanel> {
    if (this.#held?.dataset.version === dataset.version) return this.#held;
    if (this.#loading?.version !== dataset.version) {
      this.#loading = { version: dataset.version, loaded: this.#read(dataset) };
    }
    const { loaded } = this.#loading;
    try {
      return (this.#held = await loaded);
    } finally {
      if (this.#loading?.loaded === loaded) this.#loading = undefined;
    }
  }

  /**
   * Broker rows of the regular market for at least these days: the rows in memory or, for older days, just the requested ones,
   * read now.
   */
  async flowOf(
    { dataset, panel, recentFlow, segments }: LoadedPanel,
    span: DaySpan | undefined,
  ): Promise<BrokerFlow> {
    const isKept = !span || segments.length === 0 || span.firstDay >= recentFlow.columns.firstDay;
    if (isKept) return recentFlow;
    const { version } = dataset;
    return loadBrokerFlow(this.#readArrow, { panel, version, segments, market: 'REG', ...span });
  }

  async #read({ version, kind, broker_data, bars, broker_segments }: DatasetToLoad): Promise<LoadedPanel> {
    const panel = await loadPanel(this.#readArrow, version);
    if (panel.rowCount !== bars) throw new Error(`${version} has ${panel.rowCount} bars instead of ${bars}`);
    const lastDay = panel.dayCount - 1;
    const recent = { firstDay: Math.max(0, lastDay + 1 - RECENT_DAYS), lastDay };
    const wanted = { panel, version, segments: broker_segments, market: 'REG' as const, ...recent };
    const recentFlow = await loadBrokerFlow(this.#readArrow, wanted);
    const market = derivedMarket(panel);
    // Computed here rather than on demand, so that the first run does not wait for it.
    market.features();
    const rows = { panel, version, segments: broker_segments };
    return {
      ...market,
      dataset: { version, kind, broker_data },
      recentFlow,
      segments: broker_segments,
      brokerDays: new HeldBrokerDays(this.#readArrow, rows, this.#held?.brokerDays),
    };
  }
}
