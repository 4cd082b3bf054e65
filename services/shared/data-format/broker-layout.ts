import { ServiceError } from '#foundation/errors/service-error.ts';
import { repetitionIn } from '#foundation/text/csv.ts';

/** The unit of the counts in a file: shares, or lots of 100. */
export const BROKER_UNITS = ['shares', 'lots'] as const;
export type BrokerUnit = (typeof BROKER_UNITS)[number];

export const SHARES_PER_LOT = 100;

/** Whether a row has both sides of a broker's trades, or only the difference. */
export const BROKER_MODES = ['gross', 'net'] as const;
export type BrokerMode = (typeof BROKER_MODES)[number];

/** Assumptions about a file of broker rows for what the file does not state. */
export interface BrokerAssumptions {
  unit: BrokerUnit;
  mode: BrokerMode;
}

/** Used unless the caller specifies something else. */
export const USUAL_ASSUMPTIONS: BrokerAssumptions = { unit: 'shares', mode: 'gross' };

const KEYS = ['ticker', 'date', 'market', 'broker'] as const;
const BOTH_SIDES = ['buy_count', 'buy_value', 'sell_count', 'sell_value'] as const;
const DIFFERENCE = ['net_count', 'net_value'] as const;
export type BrokerField =
  | (typeof KEYS)[number]
  | (typeof BOTH_SIDES)[number]
  | (typeof DIFFERENCE)[number]
  | 'mode';

/** How to read the rows of a file. */
export interface BrokerLayout {
  format: 'csv' | 'json';
  /** Columns of the file in order; for JSON objects only the known members. */
  columns: string[];
  /** The position of each field in `columns`, counted from 0. */
  at: Partial<Record<BrokerField, number>>;
  /** Whether the amounts are `buy_…` and `sell_…`, or a signed `net_…`. */
  amounts: 'both sides' | 'difference';
  unit: BrokerUnit;
  /** Applies to rows that do not state a mode. */
  mode: BrokerMode;
}

/** Column names that vendors use, in lower case. The first one is used in messages. */
const NAMES: Record<Exclude<BrokerField, `${string}_count`>, string[]> = {
  ticker: ['ticker', 'stock', 'stock_code', 'symbol', 'code'],
  date: ['date', 'trade_date', 'trading_date'],
  market: ['market', 'board'],
  broker: ['broker', 'broker_code'],
  mode: ['mode'],
  buy_value: ['buy_value', 'buy_val'],
  sell_value: ['sell_value', 'sell_val'],
  net_value: ['net_value', 'net_val'],
};

/** Suffixes of count columns. `buy_volume` can mean either unit. */
const COUNT_ENDINGS: Record<BrokerUnit | 'unsaid', string[]> = {
  shares: ['shares'],
  lots: ['lots', 'lot'],
  unsaid: ['volume', 'vol'],
};

/**
 * Determines how to read a file of broker rows from its column names; undefined for any other file.
 * @throws ServiceError import_rejected naming the missing columns if the file is almost a file of broker rows
 */
export function brokerLayout(
  path: string,
  format: BrokerLayout['format'],
  names: readonly string[],
  assumed: BrokerAssumptions,
): BrokerLayout | undefined {
  const columns = format === 'json' ? names.filter(isKnown) : [...names];
  const lowered = columns.map((name) => name.toLowerCase());
  const { unit, at } = countedIn(lowered) ?? { unit: 'unsaid', at: fieldsAt(lowered, 'unsaid') };
  const isDifference = !has(at, 'buy_') && !has(at, 'sell_') && has(at, 'net_');
  const required = [...KEYS, ...(isDifference ? DIFFERENCE : BOTH_SIDES)];
  const missing = required.filter((field) => at[field] === undefined);
  const hasAmount = has(at, 'buy_') || has(at, 'sell_') || has(at, 'net_');
  const isNearly = at.broker === undefined ? missing.length === 1 : hasAmount;
  if (!isNearly) return undefined;
  const repetition = repetitionIn(lowered, BROKER_COLUMNS);
  if (repetition !== undefined) throw new ServiceError('import_rejected', `${path}:1: ${repetition}.`);
  if (missing.length > 0) throw lacking(path, missing);
  return {
    format,
    columns,
    at,
    amounts: isDifference ? 'difference' : 'both sides',
    unit: unit === 'unsaid' ? assumed.unit : unit,
    mode: isDifference ? 'net' : assumed.mode,
  };
}

/** The fields in the unit that names both counts, else the difference, else one count; undefined if there is none. */
function countedIn(names: string[]) {
  const read = (['shares', 'lots', 'unsaid'] as const).map((unit) => ({ unit, at: fieldsAt(names, unit) }));
  return (
    read.find(({ at }) => at.buy_count !== undefined && at.sell_count !== undefined) ??
    read.find(({ at }) => at.net_count !== undefined) ??
    read.find(({ at }) => at.buy_count !== undefined || at.sell_count !== undefined)
  );
}

function fieldsAt(names: string[], unit: BrokerUnit | 'unsaid'): BrokerLayout['at'] {
  const at: BrokerLayout['at'] = {};
  for (const [field, aliases] of Object.entries({ ...NAMES, ...countNames(unit) })) {
    const alias = aliases.find((name) => names.includes(name));
    if (alias !== undefined) at[field as BrokerField] = names.indexOf(alias);
  }
  return at;
}

function countNames(unit: BrokerUnit | 'unsaid') {
  const of = (side: string) => COUNT_ENDINGS[unit].map((ending) => `${side}_${ending}`);
  return { buy_count: of('buy'), sell_count: of('sell'), net_count: of('net') };
}

function has(at: BrokerLayout['at'], prefix: string): boolean {
  return Object.keys(at).some((field) => field.startsWith(prefix));
}

/** Every column name that is understood, in lower case. */
export const BROKER_COLUMNS: readonly string[] = [
  ...Object.values(NAMES).flat(),
  ...(['shares', 'lots', 'unsaid'] as const).flatMap((unit) => Object.values(countNames(unit)).flat()),
];

function isKnown(name: string): boolean {
  return BROKER_COLUMNS.includes(name.toLowerCase());
}

function lacking(path: string, fields: BrokerField[]): ServiceError {
  const wanted = fields.map((field) =>
    field.endsWith('_count')
      ? `'${field.replace('count', 'shares')}' or '${field.replace('count', 'lots')}'`
      : `'${field}'`,
  );
  const columns = wanted.length > 1 ? 'the columns' : 'a column';
  return new ServiceError(
    'import_rejected',
    `${path}:1: a file of broker rows must have ${columns} ${wanted.join(', ')}.`,
  );
}
