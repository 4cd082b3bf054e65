import type { Rename } from '#quant/corporate-actions/renames.ts';

/** Condition on `ticker` and `date`. */
export function isRenamedSql(renames: readonly Rename[]): string {
  return `(${renames.map(conditionOf).join(' OR ') || 'false'})`;
}

/** The name of today, from `ticker` and `date`. */
export function renamedTickerSql(renames: readonly Rename[]): string {
  const cases = renames.map((rename) => `${conditionOf(rename)}, '${rename.to}'`);
  return `toLowCardinality(multiIf(${[...cases, 'toString(ticker)'].join(', ')}))`;
}

function conditionOf({ from, since, before }: Rename): string {
  const isLater = since === undefined ? '' : ` AND date >= toDate('${since}')`;
  return `(ticker = '${from}' AND date < toDate('${before}')${isLater})`;
}
