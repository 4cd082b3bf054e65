import { brokerLayout, SHARES_PER_LOT, type BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { repetitionIn } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { changedShape } from '../deliveries/source-failure.ts';
import type { TextRow, TextTable } from '../texts/csv-table.ts';
import { isJsonObject, objectsOf, type JsonObject } from '../texts/json-body.ts';
import { numberOf, type NumberMarks } from '../texts/number-text.ts';

/**
 * The largest buyers and the largest sellers of a stock on a day, as brokers' own pages show them: one row for each side of a
 * broker. What a broker did on the side whose list it is not on is unknown, so these days never add up to the volume of the
 * exchange, and answers mark them as partial.
 */

const SIDE = 'side';
const SIDES: Record<string, 'buy' | 'sell'> = {
  buy: 'buy',
  b: 'buy',
  buyer: 'buy',
  sell: 'sell',
  s: 'sell',
  seller: 'sell',
};
/** Columns of an amount, by what it counts. The counts of the last ones are of the unit that the source declares. */
const COUNTS = { shares: ['shares'], lots: ['lots', 'lot'], unsaid: ['volume', 'vol'] } as const;
const VALUES = ['value', 'val'];
const AMOUNT_COLUMNS: readonly string[] = [...COUNTS.shares, ...COUNTS.lots, ...COUNTS.unsaid, ...VALUES];
/** Amounts from a million on are often shown like `12.3 M`. */
const MARKS: NumberMarks = { decimal: '.', thousands: ',', suffixes: { K: 1e3, M: 1e6, B: 1e9, T: 1e12 } };
const SHORTENED = /[KMBT]$/;

interface Side {
  key: string[];
  side: 'buy' | 'sell';
  shares: number;
  value: number;
  place: string;
}

export function isTopList({ columns }: TextTable): boolean {
  return columns.some((column) => column.toLowerCase() === SIDE);
}

/** Whether an object has the lists of a stock and day. */
export function hasSides(object: JsonObject): boolean {
  return 'buyers' in object || 'sellers' in object;
}

/** Turns objects with `buyers` and `sellers` into one object for each of those, with what their stocks and days have in common. */
export function withSides(name: string, objects: JsonObject[]): JsonObject[] {
  return objects.flatMap((object) => {
    if (!hasSides(object)) return [object];
    const { buyers, sellers, ...common } = object;
    return [...listed(name, buyers, common, 'buy'), ...listed(name, sellers, common, 'sell')];
  });
}

function listed(name: string, list: unknown, common: JsonObject, side: string): JsonObject[] {
  const which = side === 'buy' ? 'buyers' : 'sellers';
  if (!Array.isArray(list)) throw changedShape(`${name}: '${which}' must be a list.`);
  return objectsOf(`${name}: ${which}`, list).map((item) => ({ ...scalars(common), ...item, [SIDE]: side }));
}

function scalars(common: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(common).filter(([, value]) => !Array.isArray(value) && !isJsonObject(value)),
  );
}

/** The same rows in the columns that the importer reads, both sides of a broker in one row. */
export function mergedTopLists(
  name: string,
  table: TextTable,
  assumed: BrokerAssumptions,
): { table: TextTable; findings: string[] } {
  const read = sideReader(name, table.columns, assumed);
  const merged = new Map<string, { key: string[]; place: string; buy?: Side; sell?: Side }>();
  for (const row of table.rows) {
    const side = read(row);
    const id = side.key.join(' ');
    const both = merged.get(id) ?? { key: side.key, place: row.place };
    if (both[side.side]) throw changedShape(`${name}: ${row.place} repeats the ${side.side} side of ${id}.`);
    both[side.side] = side;
    merged.set(id, both);
  }
  const columns = [
    'ticker',
    'date',
    'market',
    'broker',
    'mode',
    'buy_shares',
    'buy_value',
    'sell_shares',
    'sell_value',
  ];
  const rows = [...merged.values()].map(({ key, place, buy, sell }) => ({
    place,
    cells: [
      ...key,
      assumed.mode,
      ...[buy?.shares, buy?.value, sell?.shares, sell?.value].map((amount) => String(amount ?? 0)),
    ],
  }));
  return { table: { columns, rows }, findings: findingsOf(table, merged.values()) };
}

function findingsOf({ columns, rows }: TextTable, merged: Iterable<{ key: string[] }>): string[] {
  const stockDays = new Set(Array.from(merged, ({ key }) => key.slice(0, 3).join(' ')));
  const amounts = columns.flatMap((column, i) => (AMOUNT_COLUMNS.includes(column.toLowerCase()) ? [i] : []));
  const isShortened = ({ cells }: TextRow) => amounts.some((i) => SHORTENED.test(cells[i]!));
  const shortened = rows.filter(isShortened);
  return [
    `lists of the largest buyers and sellers only, so partial: ${stockDays.size} (first ${[...stockDays][0]})`,
    ...(shortened.length > 0
      ? [`rows with rounded amounts: ${shortened.length} (first ${shortened[0]!.place})`]
      : []),
  ];
}

function sideReader(name: string, columns: string[], assumed: BrokerAssumptions): (row: TextRow) => Side {
  const lowered = columns.map((column) => column.toLowerCase());
  const repetition = repetitionIn(lowered, [SIDE, ...AMOUNT_COLUMNS]);
  if (repetition !== undefined) throw changedShape(`${name}: ${repetition}.`);
  const [side, count, value] = [
    lowered.indexOf(SIDE),
    countColumn(lowered, assumed),
    indexOfAny(lowered, VALUES),
  ];
  if (!count)
    throw changedShape(`${name}: lists of buyers and sellers must have a column 'shares' or 'lots'.`);
  if (value < 0) throw changedShape(`${name}: lists of buyers and sellers must have a column 'value'.`);
  const keys = keyColumns(name, columns, assumed);
  return ({ place, cells }) => {
    const found = SIDES[cells[side]!.toLowerCase()];
    const where = `${name}: ${place}`;
    if (!found) throw changedShape(`${where}: side is '${cutText(cells[side]!, 20)}', expected buy or sell.`);
    return {
      key: keys.map((i) => cells[i]!.toUpperCase()),
      side: found,
      shares: Math.round(amountOf(cells[count.at]!, where) * count.factor),
      value: Math.round(amountOf(cells[value]!, where)),
      place,
    };
  };
}

function countColumn(
  lowered: string[],
  { unit }: BrokerAssumptions,
): { at: number; factor: number } | undefined {
  const found = (['shares', 'lots', 'unsaid'] as const)
    .map((counted) => ({ counted, at: indexOfAny(lowered, COUNTS[counted]) }))
    .find(({ at }) => at >= 0);
  if (!found) return undefined;
  const counted = found.counted === 'unsaid' ? unit : found.counted;
  return { at: found.at, factor: counted === 'lots' ? SHARES_PER_LOT : 1 };
}

/** Where ticker, date, market and broker are, under any of the names that full lists may use. */
function keyColumns(name: string, columns: string[], assumed: BrokerAssumptions): number[] {
  try {
    const amounts = ['buy_shares', 'buy_value', 'sell_shares', 'sell_value'];
    const { at } = brokerLayout(name, 'csv', [...columns, ...amounts], assumed)!;
    return [at.ticker!, at.date!, at.market!, at.broker!];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw changedShape(error.message);
  }
}

/** Sales may be written as negative numbers. */
function amountOf(text: string, where: string): number {
  const amount = numberOf(text, MARKS);
  if (amount === undefined)
    throw changedShape(`${where}: '${cutText(text, 40)}' is no amount such as 1200, 1.2e3 or 1.2 M.`);
  return Math.abs(amount);
}

function indexOfAny(lowered: string[], names: readonly string[]): number {
  return lowered.findIndex((column) => names.includes(column));
}
