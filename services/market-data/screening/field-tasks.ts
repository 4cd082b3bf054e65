import type { MarketColumns } from '#fields/evaluation/market-columns.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';

/** What every thread that computes and reads fields knows from its start. */
export interface ThreadMarket {
  clickhouseAt: ClickHouseAddress;
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  segments: string[];
  panel: PanelColumns;
}

/** What an evaluation reads, over shared memory. The thread knows the rest of the market. */
export type EvaluatedColumns = Pick<MarketColumns, 'fields' | 'listed' | 'liquid' | 'gaps'>;

/** Rules, and for which stocks and day they are evaluated. */
export interface Evaluation {
  rules: Rules;
  columns: EvaluatedColumns;
  /** Day of the columns. */
  day: number;
  /** For each ticker of the panel, or for each on each day of the columns: 1 if the screen looks at it. All if left out. */
  universe?: Uint8Array | undefined;
  /** 1 once nobody waits any more. */
  isUnwanted: Uint8Array;
}
