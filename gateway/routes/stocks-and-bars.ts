import { Router } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import { mountedPath } from '../routing/mount-routes.ts';
import type { Route } from '../routing/define-route.ts';
import { fieldValuesRoute } from './fields.ts';
import { marketDataRoute } from './market-data.ts';
import { SWITCH } from './service-route.ts';

const PAGES =
  'Pass `next_cursor` as `cursor`, with the same parameters, until `has_more` is false: the pages then hold every row once, in ' +
  'order, also if a newer dataset is served in between.';
const CSV =
  '`format=csv` returns the rows alone as CSV with a header line: the fields of a row in the order of the schema, an empty cell ' +
  'for null. The cursor of the next page is then in the header `X-Next-Cursor`.';
const WITHOUT_DIVIDENDS =
  'With `adjusted=total`, the response is 404 `not_found` if the table of corporate actions has no dividends at all.';
const NOT_TRADED = 'If the stock did not trade, the prices are null and the sums 0.';

/** Routes that hand out the market itself, row by row, which the licence of a market's data may forbid. */
export const stocksAndBarsRoutes = [
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks',
    operationId: 'listStocks',
    rpc: 'listStocks',
    summary: 'List and search stocks',
    description:
      'Lists the stocks of the dataset, ordered by ticker. With `as_of` it lists those that were known by that day, with their ' +
      'days and status as of then. Name, sector, board and listing date are a snapshot, taken when the dataset was ' +
      `imported: filtering a past day by them uses what was not known then. ${PAGES} ${SWITCH}`,
    answer: 'A page of stocks.',
    errors: ['not_found', 'invalid_cursor'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/bars',
    operationId: 'listStockBars',
    rpc: 'listBars',
    csvOf: 'bars',
    summary: 'List the bars of a stock',
    description:
      'Lists daily, weekly or monthly bars of the regular market, oldest first. The open of a week or month is that of its first ' +
      'traded day, the close that of its last one; high and low are over its traded days, and volume, value and frequency are ' +
      `sums. ${NOT_TRADED} A day on which the stock is not in the dataset has no bar. ${WITHOUT_DIVIDENDS} ${PAGES} ${CSV} ${SWITCH}`,
    answer: 'A page of bars.',
    errors: ['not_found', 'invalid_cursor'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/bars',
    operationId: 'listBarsOfDay',
    rpc: 'listBarsOfDay',
    csvOf: 'bars',
    summary: 'List the bars of all stocks on one day',
    description:
      'Lists the daily bar of every stock, ordered by ticker. If the day is not a trading day of the dataset, the response is 404 ' +
      `\`not_found\`. ${NOT_TRADED} ${WITHOUT_DIVIDENDS} ${PAGES} ${CSV} ${SWITCH}`,
    answer: 'A page of bars.',
    errors: ['not_found', 'invalid_cursor'],
  }),
];

/** What `BARS_API=off` switches off. */
export const switchedRoutes: readonly Route[] = [...stocksAndBarsRoutes, fieldValuesRoute];

/** Says on the paths of these routes that they are switched off. */
export function stocksAndBarsOff(): Router {
  const router = Router({ caseSensitive: true });
  for (const { path } of switchedRoutes)
    router.all(mountedPath(path), (_req, _res, next) => {
      next(
        new ServiceError(
          'not_found',
          'The operator has switched off lists of stocks, bars and values of fields (BARS_API).',
        ),
      );
    });
  return router;
}
