import type { DeclaredFact } from '#fields/catalogue/facts.ts';
import { closest } from '#fields/rules/suggestion.ts';
import { LIMITS } from '#fields/rules/rules.ts';
import { TICKER } from '#shared/data-format/idx-columns.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { csvFields, repetitionIn } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import { FIRST_DAY, LAST_STORABLE_DAY } from '../import/rules/row-rules.ts';

export const FACT_COLUMNS = ['ticker', 'field', 'value', 'known_since'] as const;
type Column = (typeof FACT_COLUMNS)[number];

const IS_TICKER = new RegExp(TICKER);
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
/** Columns hold numbers of 32 bits. */
const MAX_NUMBER = 1e30;
const MAX_SHOWN_LENGTH = 30;

export interface FactRow extends Record<Column, string> {
  /** Counted from 1. */
  line: number;
}

/** Reads a CSV table of facts, part by part. People edit it by hand, so a single mistake rejects it. Other columns are ignored. */
export class FactRows {
  readonly #source: string;
  readonly #facts: ReadonlyMap<string, DeclaredFact>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Many rows have the same day. */
  readonly #days = new Set<string>();
  #rest = '';
  #line = 0;
  #columns: string[] | undefined;

  /**
   * @param source name of the file
   * @param facts the fields that rows may name
   */
  constructor(source: string, facts: ReadonlyMap<string, DeclaredFact>) {
    this.#source = source;
    this.#facts = facts;
  }

  /**
   * The rows whose lines are complete with the next bytes.
   * @throws ServiceError import_rejected naming file, line and column, and what is allowed
   */
  next(bytes: Buffer): FactRow[] {
    const lines = (this.#rest + this.#text(bytes)).split('\n');
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => this.#row(line));
  }

  /** The row of a last line that no line end closes. */
  end(): FactRow[] {
    const rows = this.#row(this.#rest + this.#text());
    if (!this.#columns) throw this.#mistake(`the table is empty; it begins with ${FACT_COLUMNS.join(',')}`);
    return rows;
  }

  #text(bytes?: Buffer): string {
    try {
      return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    } catch {
      throw this.#mistake('the text that follows is not UTF-8');
    }
  }

  #row(text: string): FactRow[] {
    this.#line++;
    if (text.trim() === '') return [];
    const cells = csvFields(text);
    const columns = this.#columns;
    if (!columns) {
      this.#columns = cells;
      const missing = FACT_COLUMNS.filter((column) => !cells.includes(column));
      if (missing.length > 0) throw this.#mistake(`the table of facts lacks ${missing.join(', ')}`);
      const repetition = repetitionIn(cells, FACT_COLUMNS);
      if (repetition !== undefined) throw this.#mistake(repetition);
      return [];
    }
    if (cells.length !== columns.length)
      throw this.#mistake(`${cells.length} cells under ${columns.length} columns`);
    return [this.#checked((column) => cells[columns.indexOf(column)]!)];
  }

  #checked(cell: (column: Column) => string): FactRow {
    const wrong = (column: Column, allowed: string) =>
      this.#mistake(`${column} must be ${allowed}, and is '${cutText(cell(column), MAX_SHOWN_LENGTH)}'`);
    const ticker = cell('ticker').toUpperCase();
    if (!IS_TICKER.test(ticker))
      throw wrong('ticker', '2 to 12 letters, digits or hyphens that begin with a letter');
    const fact = this.#facts.get(cell('field'));
    if (!fact) {
      const meant = closest(cell('field'), this.#facts.keys());
      throw wrong('field', `a declared field${meant === undefined ? '' : `, such as ${meant}`}`);
    }
    const known_since = cell('known_since');
    if (!this.#isDay(known_since))
      throw wrong('known_since', `a day YYYY-MM-DD from ${FIRST_DAY} to ${LAST_STORABLE_DAY}`);
    const value = valueOf(fact, cell('value'));
    if (value === undefined) throw wrong('value', `${ALLOWED[fact.type]} for ${fact.name}, or empty`);
    return { ticker, field: fact.name, known_since, value, line: this.#line };
  }

  #isDay(day: string): boolean {
    if (this.#days.has(day)) return true;
    const isDay = isCalendarDay(day) && day >= FIRST_DAY && day <= LAST_STORABLE_DAY;
    if (isDay) this.#days.add(day);
    return isDay;
  }

  #mistake(what: string): ServiceError {
    return new ServiceError('import_rejected', `${this.#source}:${Math.max(1, this.#line)}: ${what}`);
  }
}

const ALLOWED: Record<DeclaredFact['type'], string> = {
  number: `a number such as -12.5, from -${MAX_NUMBER} to ${MAX_NUMBER}`,
  text: `a text of at most ${LIMITS.wordLength} characters without control characters`,
  boolean: 'true or false',
};

/** A value in the one form in which it is stored; '' for one that is withdrawn. Undefined if it is none. */
function valueOf({ type }: DeclaredFact, cell: string): string | undefined {
  if (cell === '') return '';
  if (type === 'text')
    return cell.length <= LIMITS.wordLength && notPlain([], cell).length === 0 ? cell : undefined;
  if (type === 'boolean') return ['true', 'false'].find((word) => word === cell.toLowerCase());
  const value = NUMBER.test(cell) ? Number(cell) : NaN;
  return Math.abs(value) <= MAX_NUMBER ? String(value + 0) : undefined;
}
