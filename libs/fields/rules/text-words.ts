import type { Measure, Ordering } from './rules.ts';

/** Signs of the text form for comparisons of the JSON form. */
export const SIGNS: Readonly<Record<Ordering | 'equal', string>> = {
  below: '<',
  at_most: '<=',
  at_least: '>=',
  above: '>',
  equal: '=',
};

/** Functions of the text form. `change` with percent is `change_pct` of the JSON form. */
export const FUNCTIONS = ['rank', 'bottom_rank', 'percentile', 'change'] as const satisfies Measure[];
export type FunctionName = (typeof FUNCTIONS)[number];

/** Words that cannot be names of fields. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  ...['and', 'or', 'not', 'between', 'in', 'crossed', 'above', 'below', 'within', 'd', 'day', 'days'],
  ...['is', 'null', 'true', 'false', 'sort', 'by', 'asc', 'desc', 'limit'],
]);
