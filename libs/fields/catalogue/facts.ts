import { cumFactorAt, cumShareFactorAt } from '#quant/panel/adjustment-factors.ts';
import type { FieldType, Unit } from '../field-type.ts';
import { field, type Field, type Words } from '../values/field.ts';
import type { Stock } from '../values/stock.ts';

/** A field whose values the operator imports, as the operator declares it. Plain, so that it can be stored and sent. */
export interface DeclaredFact {
  name: string;
  type: FieldType;
  unit: Unit;
  label: Words;
  formula: string;
  source: string;
  null_means: Words;
}

/**
 * A field with the values of a fact. A value counts from the day since which it was known until the next one, which may be null.
 * Values for one share, and numbers of shares, are in the terms of the day since which they were known, and later corporate actions
 * restate them as they restate prices.
 * @param since first day on which any value was known, YYYY-MM-DD
 */
export function factField({ null_means, ...declared }: DeclaredFact, since?: string): Field {
  const { name, unit } = declared;
  const restatedAs = unit === 'idr_per_share' ? 'price' : unit === 'shares' ? 'shares' : undefined;
  return field({
    ...declared,
    nullMeans: null_means,
    daysNeeded: 0,
    readsDays: null,
    needs: ['facts'],
    ...(since !== undefined && { since }),
    ...(restatedAs && { restatedAs }),
    of: (stock) => knownValues(stock, name, restatedAs),
    textOf: (value, { facts }) => facts!.get(name)!.words[value]!,
  });
}

/** The newest known value on each wanted row. */
function knownValues(stock: Stock, name: string, restatedAs: Field['restatedAs']): Float64Array {
  const { panel, ticker } = stock;
  const known = stock.inputs.facts?.get(name)?.of(ticker) ?? [];
  const { day, terms } = panel.columns;
  const termsAt = (row: number) =>
    restatedAs === 'price' ? cumFactorAt(terms, row) : 1 / cumShareFactorAt(terms, row);
  let [next, value] = [0, NaN];
  return stock.rows((row) => {
    for (; next < known.length && known[next]!.fromDay <= day[row]!; next++) {
      const newest = known[next]!;
      const termsRow = Math.max(panel.firstRow(ticker), panel.lastRow(ticker, newest.termsDay));
      value = restatedAs ? newest.value / termsAt(termsRow) : newest.value;
    }
    return restatedAs ? value * termsAt(row) : value;
  });
}
