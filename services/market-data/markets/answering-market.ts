import type { Clock } from '#foundation/clock.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { MarketFreshness } from '../freshness/freshness.ts';
import type { DatasetInUse } from '../in-memory/dataset-in-use.ts';
import type { MarketOverviews } from '../in-memory/market-overviews.ts';
import type { FieldCatalogue } from '../screening/field-catalogue.ts';
import type { Screening } from '../screening/screening.ts';

export interface AnsweringMarket {
  inUse: Pick<DatasetInUse, 'get' | 'current' | 'changedWithin'>;
  overviews: MarketOverviews;
  screening: Screening;
  fieldCatalogue: Pick<FieldCatalogue, 'newest'>;
  freshness: Pick<MarketFreshness, 'of'>;
  /** The time in the market. */
  clock: Clock;
}

export type MarketOfCall = (call: Pick<CallContext, 'market'>) => AnsweringMarket;
