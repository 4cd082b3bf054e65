import type { RuleFields } from '../field-type.ts';
import type { Column, MarketColumns } from './market-columns.ts';

/** What fields say of the stocks of one day, in columns: the value of each ticker, in their order. */
export interface DayValues {
  /** Ascending by code unit. */
  tickers: readonly string[];
  values: Readonly<Record<string, readonly (number | string | boolean | null)[]>>;
}

/** Says which stocks count in ranks. */
const LIQUID = 'is_liquid';

/**
 * A market of a single day, on which rules that look back to no other day are evaluated as on the whole market.
 * @throws RangeError without the values of `is_liquid`
 */
export function oneDayMarket({ tickers, values }: DayValues, fields: RuleFields): MarketColumns {
  const liquid = values[LIQUID];
  if (!liquid) throw new RangeError(`the values of ${LIQUID} are missing`);
  const columns = Object.entries(values).map(([name, of]): [string, Column] => [
    name,
    fields.get(name)?.type === 'number' ? numbers(of as (number | null)[]) : codes(of as (string | null)[]),
  ]);
  return {
    tickers,
    dayCount: 1,
    fields: Object.fromEntries(columns),
    listed: new Uint8Array(tickers.length).fill(1),
    liquid: Uint8Array.from(liquid, Number),
  };
}

function numbers(values: readonly (number | null)[]): Column {
  return { values: Float32Array.from(values, (value) => value ?? NaN) };
}

function codes(values: readonly (string | boolean | null)[]): Column {
  const words = [...new Set(values)];
  const codeOf = new Map(words.map((word, code) => [word, code]));
  return { codes: Uint16Array.from(values, (value) => codeOf.get(value)!), words };
}
