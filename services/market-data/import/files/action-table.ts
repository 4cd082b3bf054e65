import {
  MEMBERSHIPS,
  STATED_KINDS,
  type StatedAction,
  type StatedKind,
} from '#quant/corporate-actions/corporate-action.ts';
import { NOT_INDICES, universeName } from '#quant/corporate-actions/universes.ts';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import { TICKER } from '#shared/data-format/idx-columns.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import { csvFields, repetitionIn } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { FIRST_DAY, MAX_PRICE_IDR } from '../rules/row-rules.ts';

export const REQUIRED_COLUMNS = ['ticker', 'kind', 'ex_date', 'known_on'] as const;

const TERMS = ['ratio', 'amount', 'new_ticker', 'board', 'index', 'membership'] as const;
type Term = (typeof TERMS)[number];
const COLUMNS = [...REQUIRED_COLUMNS, ...TERMS, 'source', 'note'] as const;
type Column = (typeof COLUMNS)[number];

/** The terms that a kind must state, and those that it may. All other terms must be empty. */
const TERMS_OF: Record<StatedKind, { must: readonly Term[]; may?: readonly Term[] }> = {
  split: { must: ['ratio'] },
  reverse_split: { must: ['ratio'] },
  bonus: { must: ['ratio'] },
  rights: { must: [], may: ['ratio', 'amount'] },
  dividend: { must: ['amount'] },
  ticker_change: { must: ['new_ticker'] },
  suspension: { must: [] },
  resumption: { must: [] },
  board_move: { must: ['board'] },
  delisting: { must: [] },
  index_membership: { must: ['index', 'membership'] },
  sharia_list: { must: ['membership'] },
};

/** Beyond every ratio that the exchange has seen: a slip of the pen would spoil all prices before it. */
const MAX_RATIO = 1_000;
const MAX_NAME_LENGTH = 50;
const MAX_TEXT_LENGTH = 300;
const MAX_SHOWN_LENGTH = 30;
const LAST_DAY = '2100-12-31';

/** Whether a file with these columns is meant as a table of corporate actions. */
export function isActionTable(columns: readonly string[]): boolean {
  return columns.includes('kind') && columns.includes('ex_date');
}

/**
 * Parses a table of corporate actions, sorted by ticker and day. People edit it by hand, so a single mistake rejects it. Other
 * columns are ignored.
 * @throws ServiceError import_rejected naming file, line and field, and what is allowed
 */
export function parseActionTable(path: string, csv: string): StatedAction[] {
  const [header = '', ...lines] = csv.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = csvFields(header);
  const mistakeAt = (line: number) => (what: string) => rejected(`${path}:${line}: ${what}`);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw mistakeAt(1)(`the table of corporate actions lacks ${missing.join(', ')}`);
  const repetition = repetitionIn(columns, COLUMNS);
  if (repetition !== undefined) throw mistakeAt(1)(repetition);
  const actions = new Map<string, StatedAction>();
  lines.forEach((text, i) => {
    if (text.trim() === '') return;
    const fields = csvFields(text);
    const mistake = mistakeAt(i + 2);
    if (fields.length !== columns.length)
      throw mistake(`${fields.length} fields under ${columns.length} columns`);
    const action = actionOf((column) => fields[columns.indexOf(column)] ?? '', mistake);
    const key = keyOf(action);
    if (actions.has(key)) throw mistake(`${key} has an entry already`);
    actions.set(key, action);
  });
  if (actions.size === 0) throw mistakeAt(1)('the table of corporate actions has no action');
  return [...actions.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, action]) => action);
}

function keyOf({ ticker, kind, ex_date, index }: StatedAction): string {
  return [ticker, ex_date, kind, ...(index === undefined ? [] : [universeName(index)])].join(' ');
}

type Field = (column: Column) => string;
type Mistake = (what: string) => ServiceError;

function actionOf(field: Field, mistake: Mistake): StatedAction {
  const is = new Checked(field, mistake);
  const kind = is.word('kind', STATED_KINDS);
  const { must, may = [] } = TERMS_OF[kind];
  const term = <Value>(column: Term, value: () => Value): Value | undefined => {
    if (field(column) !== '' && !must.includes(column) && !may.includes(column))
      throw mistake(`${column} must be empty for ${kind}, and is ${is.shown(column)}`);
    if (field(column) === '' && must.includes(column)) throw mistake(`${kind} needs ${column}`);
    return field(column) === '' ? undefined : value();
  };
  const stated = {
    ticker: is.ticker('ticker'),
    kind,
    ex_date: is.day('ex_date'),
    known_on: is.day('known_on'),
    ratio: term('ratio', () => is.ratio(kind)),
    amount: term('amount', () => is.number('amount', { above: 0, most: MAX_PRICE_IDR })),
    new_ticker: term('new_ticker', () => is.ticker('new_ticker')),
    board: term('board', () => is.text('board', MAX_NAME_LENGTH)),
    index: term('index', () => is.index()),
    membership: term('membership', () => is.word('membership', MEMBERSHIPS)),
    source: is.text('source', MAX_TEXT_LENGTH) || undefined,
    note: is.text('note', MAX_TEXT_LENGTH) || undefined,
  };
  if (stated.amount !== undefined && kind === 'rights' && stated.ratio === undefined)
    throw mistake('rights with an amount need ratio');
  if (stated.new_ticker === stated.ticker)
    throw mistake(`new_ticker must differ from ticker, and is ${stated.ticker}`);
  return withoutAbsent(stated);
}

function withoutAbsent(stated: { [K in keyof StatedAction]: StatedAction[K] | undefined }): StatedAction {
  return Object.fromEntries(
    Object.entries(stated).filter(([, value]) => value !== undefined),
  ) as unknown as StatedAction;
}

/** Fields of one line, checked as they are read. */
class Checked {
  readonly #field: Field;
  readonly #mistake: Mistake;

  constructor(field: Field, mistake: Mistake) {
    this.#field = field;
    this.#mistake = mistake;
  }

  shown(column: Column): string {
    return `'${cutText(this.#field(column), MAX_SHOWN_LENGTH)}'`;
  }

  #refuse(column: Column, allowed: string): ServiceError {
    return this.#mistake(`${column} must be ${allowed}, and is ${this.shown(column)}`);
  }

  word<Word extends string>(column: Column, words: readonly Word[]): Word {
    const found = words.find((word) => word === this.#field(column).toLowerCase());
    if (!found) throw this.#refuse(column, `one of ${words.join(', ')}`);
    return found;
  }

  ticker(column: Column): string {
    const ticker = this.#field(column).toUpperCase();
    if (!new RegExp(TICKER).test(ticker))
      throw this.#refuse(column, '2 to 12 letters, digits or hyphens that begin with a letter');
    return ticker;
  }

  day(column: Column): string {
    const day = this.#field(column);
    if (!isDay(day) || day < FIRST_DAY || day > LAST_DAY)
      throw this.#refuse(column, `a day YYYY-MM-DD from ${FIRST_DAY} to ${LAST_DAY}`);
    return day;
  }

  /** Shares after for a share before. 1 means that nothing happened. */
  ratio(kind: StatedKind): number {
    return kind === 'reverse_split'
      ? this.number('ratio', { least: 1 / MAX_RATIO, most: 1 })
      : this.number('ratio', { least: 1, most: MAX_RATIO });
  }

  number(column: Column, { least, above, most }: { least?: number; above?: number; most: number }): number {
    const text = this.#field(column);
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    if (value <= most && (least === undefined || value >= least) && (above === undefined || value > above))
      return value;
    const from = least === undefined ? `above ${above}` : `from ${least}`;
    throw this.#refuse(column, `a number ${from} to ${most}`);
  }

  /** The name of an index, by which requests can name it. */
  index(): string {
    const index = this.text('index', MAX_NAME_LENGTH);
    const name = universeName(index);
    if (name !== '' && !NOT_INDICES.includes(name)) return index;
    throw this.#refuse('index', `a name with a letter or digit, other than ${NOT_INDICES.join(' and ')}`);
  }

  text(column: Column, maxLength: number): string {
    const text = this.#field(column);
    if (text.length > maxLength) throw this.#refuse(column, `at most ${maxLength} characters`);
    const [mistake] = notPlain([column], text);
    if (mistake) throw this.#mistake(`${column} ${mistake.msg}`);
    return text;
  }
}

function isDay(text: string): boolean {
  try {
    epochDayFromIso(text);
    return true;
  } catch {
    return false;
  }
}
