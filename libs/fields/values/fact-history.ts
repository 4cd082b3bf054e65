import type { Panel } from '#quant/panel/panel.ts';
import type { FieldType } from '../field-type.ts';

/** A value of a stock, as it was known from a day on. */
interface KnownValue {
  /** First trading day (calendar index) on which it counts. */
  fromDay: number;
  /** Trading day in whose terms it is, the last one up to the day since which it was known; -1 before the first. */
  termsDay: number;
  /** NaN if it was withdrawn. */
  value: number;
}

/** What was known of a fact, by stock. */
export class FactHistory {
  /** The texts of a text field, by the numbers that stand for them. */
  readonly words: string[] = [];
  readonly #numberOf = new Map<string, number>();
  readonly #values: KnownValue[][];
  readonly #type: FieldType;
  readonly #panel: Panel;

  /** @param type of the values */
  constructor(type: FieldType, panel: Panel) {
    this.#type = type;
    this.#panel = panel;
    this.#values = Array.from({ length: panel.tickerCount }, () => []);
  }

  /**
   * Takes a value that became known after all others of the stock.
   * @param ticker index
   * @param knownSince YYYY-MM-DD
   * @param value as it was imported; null if the earlier value was withdrawn
   */
  add(ticker: number, knownSince: string, value: string | null): void {
    const termsDay = this.#panel.dayOnOrBefore(knownSince);
    const fromDay = this.#panel.dayOnOrAfter(knownSince);
    this.#values[ticker]!.push({ fromDay, termsDay, value: value === null ? NaN : this.#number(value) });
  }

  /** Ascending by day. Of values that count from the same day, the last one is the newest. */
  of(ticker: number): readonly KnownValue[] {
    return this.#values[ticker]!;
  }

  #number(value: string): number {
    if (this.#type === 'number') return Number(value);
    if (this.#type === 'boolean') return Number(value === 'true');
    const known = this.#numberOf.get(value) ?? this.words.push(value) - 1;
    this.#numberOf.set(value, known);
    return known;
  }
}
