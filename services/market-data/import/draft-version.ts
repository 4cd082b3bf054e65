import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { BrokerOptions } from './import-source.ts';
import type { StagedContents, Staging } from './staging.ts';
import type { RowParams } from './version-rows.ts';

/** Where the broker rows of a version come from. */
type BrokerOrigin =
  /** It has none. */
  | 'none'
  /** Those of its base. */
  | 'base'
  /** The upload, added to those of its base where these are real. */
  | 'upload'
  /** The generator. */
  | 'generator';

/**
 * Real broker rows are never mixed with made-up ones: those that are uploaded take the place of made-up ones, and
 * where there are real ones no others are made up.
 * @throws ServiceError import_rejected when made-up rows are wanted where real ones are
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
      `${base.version} has real broker rows, with which made-up ones are never mixed.`,
    );
  }
  return synthesizes || base?.broker_data === 'synthetic' ? 'generator' : 'none';
}

/** A version in the making: it is not read until its row is in `market.dataset`, which is written last. */
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
  brokers: BrokerOptions & { origin: BrokerOrigin };
}

export function rowParams({ base, quietDays }: Pick<DraftVersion, 'base' | 'quietDays'>): RowParams {
  return { base: base?.version ?? '', quietDays };
}
