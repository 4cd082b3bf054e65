import type { StatedAction } from './corporate-action.ts';

/** Rows of a ticker that belong to the history of another one. */
export interface Rename {
  from: string;
  /** What the stock is called in the end, also if it was renamed more than once. */
  to: string;
  /** First day of these rows; undefined for all. An earlier stock may have had the same ticker. */
  since: string | undefined;
  /** The day from which on the stock has its next name, YYYY-MM-DD. A later stock may get the ticker. */
  before: string;
}

type TickerChange = Pick<StatedAction, 'ticker' | 'ex_date'> & { new_ticker: string };

/** The renames of a table that have happened and are known by a day. */
export function renamesOf(
  actions: readonly Pick<StatedAction, 'kind' | 'ticker' | 'ex_date' | 'known_on' | 'new_ticker'>[],
  lastDate: string,
): Rename[] {
  const changes = actions
    .filter(
      (action) =>
        action.kind === 'ticker_change' && action.ex_date <= lastDate && action.known_on <= lastDate,
    )
    .map(({ ticker, ex_date, new_ticker }): TickerChange => ({ ticker, ex_date, new_ticker: new_ticker! }))
    .toSorted((a, b) => (a.ex_date < b.ex_date ? -1 : 1));
  return changes.map((change, i) => ({
    from: change.ticker,
    to: lastNameOf(change, changes.slice(i + 1)),
    since: changes.slice(0, i).findLast(({ new_ticker }) => new_ticker === change.ticker)?.ex_date,
    before: change.ex_date,
  }));
}

function lastNameOf({ new_ticker }: TickerChange, later: readonly TickerChange[]): string {
  return later.reduce((name, { ticker, new_ticker }) => (ticker === name ? new_ticker : name), new_ticker);
}
