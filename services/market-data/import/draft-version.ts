import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { BrokerOptions } from './import-source.ts';
import type { StagedContents, Staging } from './staging.ts';
import type { RowParams } from './version-rows.ts';

/** The origin of a version's broker rows. */
type BrokerOrigin =
  /** No broker rows. */
  | 'none'
  /** The base. */
  | 'base'
  /** The upload, added to the rows of the base if those are real. */
  | 'upload'
  /** The generator. */
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
    throw new ServiceError(
      'import_rejected',
      `${base.version} has real broker rows, and made-up rows are never mixed with them.`,
    );
  }
  return synthesizes || base?.broker_data === 'synthetic' ? 'generator' : 'none';
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
  /** The number of bars it will have. */
  bars: number;
  /**
   * Days on which almost nothing traded, judged by all rows together. No rows of these days are kept, neither from the
   * upload nor from the base.
   */
  quietDays: string[];
  /** Whether bars or lines of a listing are refused, of the upload or of the base. */
  refusesRows: boolean;
  brokers: BrokerOptions & { origin: BrokerOrigin };
  /** Its corporate actions: the uploaded table, else that of the base. */
  actions: readonly StatedAction[];
  /** Its last day. Actions that are known later are not used yet. */
  lastDate: string;
}

export function rowParams({ base, quietDays }: Pick<DraftVersion, 'base' | 'quietDays'>): RowParams {
  return { base: base?.version ?? '', quietDays };
}
