import { BrokerFlow, type FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import { FeatureTable, type FeatureColumns } from '#quant/features/feature-table.ts';
import { shareOutcomes, type SharedOutcomes } from '#quant/labels/kept-outcomes.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { RegimeHistory } from '#quant/regime/regime.ts';
import type { DatasetLabel, DerivedMarket } from '#models/inputs/market-in-memory.ts';

/** A published dataset version, with the data needed to read it. */
export interface DatasetToLoad extends DatasetLabel {
  /** The fingerprint of the rows that the version consists of. */
  fingerprint: string;
  /** The expected number of bars. Fewer would silently change every result. */
  bars: number;
  /** Its last whole day and its last day, YYYY-MM-DD. Runs see nothing of the partial days after the first. Absent: all days are whole. */
  whole_until?: string;
  last_date?: string;
  /** Names of the segments in which its broker rows are stored. */
  broker_segments: string[];
}

/**
 * A dataset version in memory that all threads of a process share: plain objects, whose large arrays lie in shared memory, so
 * that a message hands them over without a copy.
 */
export interface SharedMarket {
  dataset: DatasetLabel;
  fingerprint: string;
  /** Names of the segments in which its broker rows are stored. */
  segments: readonly string[];
  panel: PanelColumns;
  regime: RegimeHistory;
  features: FeatureColumns;
  outcomes: readonly SharedOutcomes[];
  /** Broker rows of the regular market on the newest trading days. */
  recentFlow: FlowColumns;
}

/** A shared market as a thread reads it. */
export interface OpenMarket extends DerivedMarket {
  dataset: DatasetLabel;
  fingerprint: string;
  segments: readonly string[];
  recentFlow: BrokerFlow;
}

export function openMarket({ dataset, fingerprint, segments, ...columns }: SharedMarket): OpenMarket {
  const panel = new Panel(columns.panel);
  const table = new FeatureTable(panel, columns.features);
  shareOutcomes(table, columns.outcomes);
  const recentFlow = new BrokerFlow(columns.recentFlow);
  return {
    dataset,
    fingerprint,
    segments,
    panel,
    recentFlow,
    regime: () => columns.regime,
    features: () => table,
  };
}

/** The last trading day, YYYY-MM-DD; empty for a market without bars. */
export function lastDayOf({ panel }: SharedMarket): string {
  return panel.dates.at(-1) ?? '';
}
