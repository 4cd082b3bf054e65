import { renamesOf } from '#quant/corporate-actions/renames.ts';
import type { NewName } from '#quant/panel/panel-columns.ts';
import { statedIn, type StoredAction } from '../store/action-rows.ts';

/** What renamed stocks are called on the last day of a dataset, by their old tickers. */
export function newNames(actions: readonly StoredAction[], lastDate: string): Record<string, NewName> {
  return Object.fromEntries(
    renamesOf(statedIn(actions), lastDate).map(({ from, to, before }) => [
      from,
      { ticker: to, since: before },
    ]),
  );
}
