import { SHARES_PER_LOT } from '#shared/data-format/broker-layout.ts';
import { IDX_COLUMNS, type IdxColumn } from '#shared/data-format/idx-columns.ts';
import { CSV_DELIMITERS, type CsvDelimiter } from '#foundation/text/csv.ts';
import { newAjv, fieldErrors } from '#platform/wire/field-errors.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { DECIMAL_MARKS, THOUSANDS_MARKS, type NumberMarks } from '../texts/number-text.ts';
import { DATE_FORMAT_WORDS, isDateFormat } from '../texts/date-text.ts';
import { isPattern, PATTERN_WORDS } from '../texts/pattern.ts';

/** What a mapping can fill: bars with the names of their companies, or broker rows. */
export const INTO = ['bars', 'broker_rows'] as const;
type Into = (typeof INTO)[number];

/** Units, and what they are in shares or IDR. */
export const UNITS = {
  shares: 1,
  lots: SHARES_PER_LOT,
  thousand_shares: 1e3,
  million_shares: 1e6,
  idr: 1,
  thousand_idr: 1e3,
  million_idr: 1e6,
  billion_idr: 1e9,
} as const;
type Unit = keyof typeof UNITS;

/** Where a field comes from. Exactly one of `column`, `constant` and `requested_day`. */
export interface FieldSource {
  /** Name of a column, or its number (from 1) in a CSV without a header; for JSON a name or a path such as `price.close`. */
  column?: string | number;
  constant?: string | number;
  /** The day that was asked for, where rows have none. */
  requested_day?: true;
  unit?: Unit;
  /** Replaces whole texts, before anything else: `{"Reguler": "RG"}`. */
  words?: Record<string, string>;
}

/** Rows to leave out: those whose column is one of the texts, or matches the pattern. */
export interface SkipRule {
  column: string | number;
  is?: string[];
  matches?: string;
}

/** One of several lists of broker rows, each of which has one side of the brokers' trades. */
export interface SideList {
  side: 'buy' | 'sell';
  /** Path to the list within a row of the body, for JSON. Empty if the row itself is an entry. */
  rows: string;
  /** Rows that are no entries of this list. */
  skip: SkipRule[];
  /** Its own fields beside those of the mapping: `shares` and `value` of its side. */
  fields: Record<string, FieldSource>;
}

/** How to read a source that Saring does not know. */
export interface Mapping {
  into: Into;
  body: {
    format: 'csv' | 'json';
    delimiter?: CsvDelimiter;
    /** Whether the first line names the columns. */
    header: boolean;
    /** Path to the list of rows in JSON, such as `data.items`. Empty if the rows are the whole, or the only list in it. */
    rows: string;
  };
  decimal_mark: NumberMarks['decimal'];
  thousands_mark: NumberMarks['thousands'];
  suffixes: Record<string, number>;
  /** Texts that stand for nothing. */
  missing: string[];
  date_format: string;
  /** What to do with rows of other days than the requested one. */
  other_days: 'refuse' | 'skip';
  skip: SkipRule[];
  fields: Record<string, FieldSource>;
  lists?: SideList[];
}

const BARS_TEXTS = ['ticker', 'name'];
const BROKER_TEXTS = ['ticker', 'market', 'broker', 'mode'];
const BROKER_SHARES = ['buy_shares', 'sell_shares', 'net_shares'];
const BROKER_VALUES = ['buy_value', 'sell_value', 'net_value'];
/** The fields of one side, which a list has. */
const LIST_AMOUNTS = ['shares', 'value'];
const BARS_SHARES: readonly IdxColumn[] = [
  ...(['volume', 'offer_volume', 'bid_volume', 'listed_shares', 'tradeble_shares'] as const),
  ...(['foreign_sell', 'foreign_buy', 'non_regular_volume'] as const),
];
const COUNTS = ['frequency', 'non_regular_frequency'];

export const FIELDS: Record<Into, { all: readonly string[]; required: readonly string[] }> = {
  bars: {
    all: [...BARS_TEXTS, ...IDX_COLUMNS.filter((column) => column !== 'delisting_date')],
    required: ['ticker', 'date', 'high', 'low', 'close', 'volume', 'value'],
  },
  broker_rows: {
    all: [...BROKER_TEXTS, 'date', ...BROKER_SHARES, ...BROKER_VALUES],
    required: ['ticker', 'date', 'market', 'broker'],
  },
};

/** Whether a field is text, a day, or a number of something. */
export function kindOfField(field: string): 'text' | 'day' | 'shares' | 'count' | 'idr' {
  if (field === 'date') return 'day';
  if ([...BARS_TEXTS, ...BROKER_TEXTS].includes(field)) return 'text';
  if ([...BROKER_SHARES, ...BARS_SHARES, 'shares'].includes(field)) return 'shares';
  return COUNTS.includes(field) ? 'count' : 'idr';
}

function unitsOf(field: string): Unit[] {
  const all = Object.keys(UNITS) as Unit[];
  switch (kindOfField(field)) {
    case 'shares':
      return all.filter((unit) => !unit.endsWith('idr'));
    case 'idr':
      return all.filter((unit) => unit.endsWith('idr'));
    default:
      return [];
  }
}

/** The schema of an object that has no other members. */
export const object = <T extends object>(properties: T, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const COLUMN = {
  type: ['string', 'integer'],
  minLength: 1,
  minimum: 1,
  $comment: 'the name of a column, or its number from 1',
};
const texts = { type: 'array', items: { type: 'string' } };
const SKIP = {
  type: 'array',
  items: object({ column: COLUMN, is: texts, matches: { type: 'string' } }, ['column']),
  default: [],
};
const FIELD_SOURCES = {
  type: 'object',
  additionalProperties: object({
    column: COLUMN,
    constant: { type: ['string', 'number'] },
    requested_day: { const: true },
    unit: { enum: Object.keys(UNITS) },
    words: { type: 'object', additionalProperties: { type: 'string' } },
  }),
};

const MAPPING = object(
  {
    into: { enum: INTO },
    body: object(
      {
        format: { enum: ['csv', 'json'] },
        delimiter: { enum: CSV_DELIMITERS },
        header: { type: 'boolean', default: true },
        rows: { type: 'string', default: '' },
      },
      ['format'],
    ),
    decimal_mark: { enum: DECIMAL_MARKS, default: '.' },
    thousands_mark: { enum: THOUSANDS_MARKS, default: '' },
    suffixes: {
      type: 'object',
      additionalProperties: { type: 'number', exclusiveMinimum: 0 },
      default: {},
    },
    missing: { ...texts, default: ['', '-', 'N/A'] },
    date_format: { type: 'string', default: 'YYYY-MM-DD' },
    other_days: { enum: ['refuse', 'skip'], default: 'refuse' },
    skip: SKIP,
    fields: FIELD_SOURCES,
    lists: {
      type: 'array',
      minItems: 1,
      items: object(
        {
          side: { enum: ['buy', 'sell'] },
          rows: { type: 'string', default: '' },
          skip: SKIP,
          fields: FIELD_SOURCES,
        },
        ['side', 'fields'],
      ),
    },
  },
  ['into', 'body', 'fields'],
);

export const MAPPING_FIELDS = Object.keys(MAPPING.properties);

/** It compiles the schema once, when there is something to check. */
const ajv = newAjv();

/**
 * Checks a parsed mapping file and fills in its defaults.
 * @returns the mapping, or everything that is wrong with it
 */
export function checkedMapping(value: unknown): { mapping: Mapping } | { mistakes: FieldError[] } {
  const filled = structuredClone(value);
  const isValid = ajv.compile(MAPPING);
  if (!isValid(filled)) return { mistakes: fieldErrors(isValid.errors ?? [], []) };
  const mapping = filled as unknown as Mapping;
  const mistakes = [
    ...mistakesInBody(mapping),
    ...mistakesInSkip(mapping.skip, ['skip']),
    ...(mapping.lists ? mistakesInLists(mapping, mapping.lists) : mistakesInFields(mapping)),
  ];
  return mistakes.length > 0 ? { mistakes } : { mapping };
}

export function mistake(loc: FieldError['loc'], msg: string): FieldError {
  return { loc, msg, type: 'value_error' };
}

function mistakesInBody({ body, decimal_mark, thousands_mark, date_format }: Mapping): FieldError[] {
  const found: FieldError[] = [];
  if (body.format === 'json' && body.delimiter !== undefined)
    found.push(mistake(['body', 'delimiter'], 'is for csv only'));
  if (body.format === 'csv' && body.rows !== '') found.push(mistake(['body', 'rows'], 'is for json only'));
  if (decimal_mark === thousands_mark)
    found.push(mistake(['thousands_mark'], 'must differ from decimal_mark'));
  if (!isDateFormat(date_format)) found.push(mistake(['date_format'], `must be ${DATE_FORMAT_WORDS}`));
  return found;
}

type Loc = FieldError['loc'];

function mistakesInSkip(skip: SkipRule[], loc: Loc): FieldError[] {
  return skip.flatMap(({ is, matches }, i) => [
    ...((is === undefined) === (matches === undefined)
      ? [mistake([...loc, i], 'must have either is or matches')]
      : []),
    ...(matches !== undefined && !isPattern(matches)
      ? [mistake([...loc, i, 'matches'], `must be ${PATTERN_WORDS}`)]
      : []),
  ]);
}

/** Fields of all lists are in `fields`, and what is different in each is in its own. */
function mistakesInLists({ into, fields, body }: Mapping, lists: SideList[]): FieldError[] {
  if (into !== 'broker_rows') return [mistake(['lists'], 'is for broker_rows only')];
  const all = [...BROKER_TEXTS, 'date', ...LIST_AMOUNTS];
  const required = [...FIELDS.broker_rows.required, ...LIST_AMOUNTS];
  return [
    ...mistakesInSources(fields, { all, body, loc: ['fields'] }),
    ...lists.flatMap((list, i) => [
      ...mistakesInSources(list.fields, { all, body, loc: ['lists', i, 'fields'] }),
      ...mistakesInSkip(list.skip, ['lists', i, 'skip']),
      ...(body.format === 'csv' && list.rows !== ''
        ? [mistake(['lists', i, 'rows'], 'is for json only')]
        : []),
      ...required
        .filter((name) => !fields[name] && !list.fields[name])
        .map((name) => mistake(['lists', i, 'fields', name], 'is required here or in fields')),
    ]),
  ];
}

function mistakesInSources(
  fields: Record<string, FieldSource>,
  { all, body, loc }: { all: readonly string[]; body: Mapping['body']; loc: Loc },
): FieldError[] {
  return Object.entries(fields).flatMap(([name, source]) =>
    all.includes(name)
      ? mistakesInField(name, source, body).map((found) => ({ ...found, loc: [...loc, ...found.loc] }))
      : [mistake([...loc, name], `is not known here; allowed: ${all.join(', ')}`)],
  );
}

function mistakesInFields({ into, fields, body }: Mapping): FieldError[] {
  const { all, required } = FIELDS[into];
  const found = mistakesInSources(fields, { all, body, loc: ['fields'] });
  for (const name of required)
    if (!fields[name]) found.push(mistake(['fields', name], `is required for ${into}`));
  return into === 'broker_rows' ? [...found, ...mistakesInAmounts(fields)] : found;
}

function mistakesInField(
  name: string,
  source: FieldSource,
  { format, header }: Mapping['body'],
): FieldError[] {
  const found: FieldError[] = [];
  const given = (['column', 'constant', 'requested_day'] as const).filter(
    (place) => source[place] !== undefined,
  );
  if (given.length !== 1)
    found.push(mistake([name], 'must have exactly one of column, constant and requested_day'));
  if (source.requested_day && name !== 'date')
    found.push(mistake([name, 'requested_day'], 'is for date only'));
  const units = unitsOf(name);
  if (source.unit !== undefined && !units.includes(source.unit))
    found.push(
      mistake(
        [name, 'unit'],
        units.length > 0 ? `must be one of ${units.join(', ')}` : 'is not allowed here',
      ),
    );
  if (typeof source.column === 'number' && (format === 'json' || header))
    found.push(mistake([name, 'column'], 'may be a number only for csv without a header'));
  return found;
}

function mistakesInAmounts(fields: Record<string, FieldSource>): FieldError[] {
  const has = (names: string[]) => names.every((name) => fields[name] !== undefined);
  const sides = ['buy_shares', 'buy_value', 'sell_shares', 'sell_value'];
  const net = ['net_shares', 'net_value'];
  const given = [...sides, ...net].filter((name) => fields[name] !== undefined);
  const isSides = has(sides) && given.length === sides.length;
  const isNet = has(net) && given.length === net.length;
  if (isSides || isNet) return [];
  return [mistake(['fields'], `must have either ${sides.join(', ')} or ${net.join(', ')}`)];
}
