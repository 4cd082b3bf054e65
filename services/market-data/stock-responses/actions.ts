import type { CorporateAction, ListActionsResponse } from '#proto/saring/market_data/v1/actions.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import type { CursorScope, CursorSigner } from '#platform/paging/cursor.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { positionOf, type KnownAction } from '../in-memory/stock-actions.ts';
import { roundedFraction } from '../responses/adjustment.ts';
import { requireTicker } from '../responses/tickers.ts';
import { refuseReversed } from './day-span.ts';

export type ActionsRequest = CheckedRequestOf<MarketDataServiceService['listActions']>;

const RECENT_DAYS = 365;
const MAX_RECENT = 20;

/**
 * A page of the corporate actions of a stock, latest first. Its cursor names the last one, so that the next page begins after it
 * also if a version with more actions is served in between.
 * @throws ServiceError not_found, invalid_request if `from` is after `to`, invalid_cursor
 */
export function actionsOf(
  { dataset, panel, actions }: LoadedDataset,
  request: ActionsRequest,
  cursors: CursorSigner,
): ListActionsResponse {
  const { from, to, kind, limit, cursor } = request;
  refuseReversed(from, to);
  const scope: CursorScope = { list: 'corporate actions', ticker: codeOf(request.ticker), from, to, kind };
  const end = cursor === undefined ? undefined : cursors.verify(cursor, scope);
  const { ticker, index } = requireTicker(panel, request.ticker);
  const wanted = actions.of(index).filter((action) => {
    const { ex_date, key } = positionOf(action);
    if ((from !== undefined && ex_date < from) || (to !== undefined && ex_date > to)) return false;
    if (kind !== undefined && action.kind !== kind) return false;
    const endDate = end && isoFromEpochDay(end.at);
    return !end || ex_date < endDate! || (ex_date === endDate && key > end.id);
  });
  const page = wanted.slice(0, limit);
  const hasMore = wanted.length > limit;
  return {
    ticker,
    actions: page.map(onTheWire),
    count: page.length,
    next_cursor: hasMore ? cursors.sign(endOf(page.at(-1)!), scope) : undefined,
    has_more: hasMore,
    dataset_version: dataset.version,
  };
}

/** The actions of a stock (index) in the year up to the last day of the dataset, and those announced for later days. */
export function recentActions({ panel, actions }: LoadedDataset, index: number): CorporateAction[] {
  const since = isoFromEpochDay(epochDayFromIso(panel.columns.dates.at(-1)!) - RECENT_DAYS);
  const recent = actions.of(index).filter(({ ex_date }) => ex_date > since);
  return recent.slice(0, MAX_RECENT).map(onTheWire);
}

function endOf(action: KnownAction) {
  const { ex_date, key } = positionOf(action);
  return { at: epochDayFromIso(ex_date), id: key };
}

function onTheWire({ ratio, price_factor, ...action }: KnownAction): CorporateAction {
  return {
    ...action,
    ratio: ratio === undefined ? undefined : roundedFraction(ratio),
    price_factor: price_factor === undefined ? undefined : roundedFraction(price_factor),
  };
}
