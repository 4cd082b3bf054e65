import { linkTo } from '#console/routing.ts';
import { shared } from '#console/words/shared.ts';
import type { Column } from './data-table.tsx';

/** The column that names a stock and leads to its page. */
export function tickerColumn<Row extends { ticker: string }>(): Column<Row> {
  return {
    title: shared.value.ticker,
    field: 'ticker',
    value: ({ ticker }) => ticker,
    of: ({ ticker }) => <a href={linkTo('market', ticker)}>{ticker}</a>,
  };
}
