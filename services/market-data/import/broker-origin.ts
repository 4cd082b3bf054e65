import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { BrokerWishes } from './import-source.ts';
import type { StagedContents } from './staging.ts';

/** Where the broker rows of a version come from. */
export type BrokerOrigin =
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
  { synthesizes }: BrokerWishes,
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
