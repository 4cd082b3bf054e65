import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { BrokerOrigin } from './broker-origin.ts';
import type { BrokerWishes } from './import-source.ts';
import type { StagedContents, Staging } from './staging.ts';
import type { RowParams } from './version-rows.ts';

/** A version in the making: nobody reads it until its row stands in `market.dataset`, which is written last. */
export interface DraftVersion {
  version: string;
  /** `real` or `synthetic`: what the staged rows are. */
  kind: string;
  /** What the staged rows are added to; undefined when they make a whole dataset of their own. */
  base: Dataset | undefined;
  staging: Staging;
  contents: StagedContents;
  /** How many bars it will have. */
  bars: number;
  /**
   * Days on which, by all rows together, almost nothing traded: none of their rows stays, neither of the upload nor of
   * the base.
   */
  quietDays: string[];
  brokers: BrokerWishes & { origin: BrokerOrigin };
}

export function rowParams({ base, quietDays }: Pick<DraftVersion, 'base' | 'quietDays'>): RowParams {
  return { base: base?.version ?? '', quietDays };
}
