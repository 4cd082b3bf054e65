import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import { rejected } from '../rejected.ts';
import type { BrokerOptions } from '../request/import-source.ts';
import type { UploadOrigin } from '../staging/bar-groups.ts';
import type { StagedContents, Staging } from '../staging/staging.ts';
import type { RowParams } from './version-rows.ts';

type BrokerOrigin =
  | 'none'
  | 'base'
  /** The upload, added to the rows of the base if those are real. */
  | 'upload'
  | 'generator';

/**
 * Chooses where a version's broker rows come from. Real and synthetic rows are never mixed: uploaded rows replace
 * synthetic ones, and none are generated if the base has real ones.
 * @throws ServiceError import_rejected when synthetic rows are requested and the base has real ones
 */
export function brokerOrigin(
  contents: StagedContents,
  { synthesizes }: BrokerOptions,
  base: Dataset | undefined,
): BrokerOrigin {
  if (contents.brokerRows > 0) return 'upload';
  if (base?.broker_data === 'real') {
    if (!synthesizes) return 'base';
    throw rejected(`${base.version} has real broker rows, and made-up rows are never mixed with them.`);
  }
  return synthesizes || base?.broker_data === 'synthetic' ? 'generator' : 'none';
}

/** A day of the base of which an upload says something else. */
export interface RestatedDay {
  day: string;
  /** Rows of stocks that the base has on that day. */
  rows: number;
  changedRows: number;
  changedValues: number;
  /** Rows that change what a source said that does not rank lower. */
  disputedRows: number;
  /** The first stock with a changed value. */
  ticker: string;
}

/** A version that is being made. Nobody reads it until its row is in `market.dataset`, which is written last. */
export interface DraftVersion {
  version: string;
  /** `real` or `synthetic`: the kind of the staged rows. */
  kind: string;
  /** The dataset to which the staged rows are added; undefined if they make a complete dataset. */
  base: Dataset | undefined;
  staging: Staging;
  contents: StagedContents;
  bars: number;
  /**
   * Days on which almost nothing traded, judged by all rows together. No rows of these days are kept, neither from the
   * upload nor from the base.
   */
  quietDays: string[];
  /** Trading days between its first and last day of which it has no row, ascending. */
  missingDays: string[];
  /** Days of the base of which the upload says something else. */
  restated: readonly RestatedDay[];
  /** Whether bars or lines of a listing are refused, of the upload or of the base. */
  refusesRows: boolean;
  brokers: BrokerOptions & { origin: BrokerOrigin };
  provenance: UploadOrigin;
  /** Its corporate actions: the uploaded table, else that of the base. */
  actions: readonly StatedAction[];
  /** Days that count as whole however few stocks they have. */
  acceptedDays: string[];
  /** Its last day. Actions that are known later are not used yet. */
  lastDate: string;
}

export function rowParams({ base, quietDays }: Pick<DraftVersion, 'base' | 'quietDays'>): RowParams {
  return { base: base?.version ?? '', quietDays };
}
