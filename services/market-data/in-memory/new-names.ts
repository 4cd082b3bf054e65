import { renamesOf } from '#quant/corporate-actions/renames.ts';
import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { NewName } from '#quant/panel/panel-columns.ts';
import type { StoredAction } from '../store/action-rows.ts';

/** What renamed stocks are called on the last day of a dataset, by their old tickers. */
export function newNames(actions: readonly StoredAction[], lastDate: string): Record<string, NewName> {
  const stated = actions.filter(({ status }) => status !== 'overruled') as StatedAction[];
  return Object.fromEntries(
    renamesOf(stated, lastDate).map(({ from, to, before }) => [from, { ticker: to, since: before }]),
  );
}
