import { detectedKind, UNCHANGED, type Factors } from '#quant/corporate-actions/corporate-action.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { cumShareFactorAt, factorAt } from '#quant/panel/adjustment-factors.ts';
import type { StoredAction } from '../store/action-rows.ts';

/** A corporate action of a stock, as a response tells it. */
export interface KnownAction extends Omit<StoredAction, 'status' | 'ticker' | 'applied_on'> {
  status: StoredAction['status'] | 'detected';
  /** The factor by which it restates the prices before it; absent if it restates none. */
  price_factor?: number;
}

/**
 * The corporate actions of each stock: those of the table, and those that are only detected, which follow from the factors of the
 * bars. Both are small, so only the table is kept, and a stock's list is made when it is asked for.
 */
export class StockActions {
  readonly #panel: Panel;
  readonly #stored = new Map<string, StoredAction[]>();
  readonly #hasDividends: boolean;

  constructor(panel: Panel, stored: readonly StoredAction[]) {
    this.#panel = panel;
    this.#hasDividends = stored.some(({ kind }) => kind === 'dividend');
    for (const action of stored) {
      const ofStock = this.#stored.get(action.ticker);
      if (ofStock) ofStock.push(action);
      else this.#stored.set(action.ticker, [action]);
    }
  }

  /** The actions of a stock (index), latest day first. */
  of(index: number): KnownAction[] {
    const panel = this.#panel;
    const { day, dates, late_factors: late = [] } = panel.columns;
    const stored = this.#stored.get(panel.columns.tickers[index]!) ?? [];
    const stated = new Set(stored.map(({ applied_on }) => applied_on));
    const actions = stored.map((action) => this.#known(index, action));
    for (let row = panel.firstRow(index) + 1; row < panel.endRow(index, panel.dayCount - 1); row++) {
      const factors = factorsOf(panel, index, row);
      const date = dates[day[row]!]!;
      if ((factors.price !== 1 || factors.share !== 1) && !stated.has(date))
        actions.push(
          detected(date, factors, dates[late.find((one) => one.row === row)?.knownDay ?? day[row]!]!),
        );
    }
    return actions.sort(latestFirst);
  }

  /** Whether the table has dividends of any stock. A stock of which it has none then paid none. */
  get hasDividends(): boolean {
    return this.#hasDividends;
  }

  /**
   * The dividends of a stock (index), IDR for a share, by the first row without them. One that was known neither on its ex-day nor on
   * the day as of which they are asked for, which is the last one by default, is not among them.
   */
  dividendsOf(index: number, asOfDay = this.#panel.dayCount - 1): Map<number, number> {
    const panel = this.#panel;
    const { tickers, dates, day } = panel.columns;
    const end = panel.endRow(index, panel.dayCount - 1);
    const paid = new Map<number, number>();
    for (const { kind, ex_date, known_on, amount = 0 } of this.#stored.get(tickers[index]!) ?? []) {
      const row = kind === 'dividend' ? panel.firstRowFrom(index, ex_date) : end;
      if (row === end || known_on > dates[Math.max(asOfDay, day[row]!)]!) continue;
      paid.set(row, (paid.get(row) ?? 0) + amount);
    }
    return paid;
  }

  /** The number of ex-days in {@link dividendsOf}, of one stock (index) or of all; undefined if the table has no dividends at all. */
  exDayCount(index?: number): number | undefined {
    if (!this.#hasDividends) return undefined;
    const stocks = index === undefined ? [...this.#panel.columns.tickers.keys()] : [index];
    return stocks.reduce((count, stock) => count + this.dividendsOf(stock).size, 0);
  }

  #known(index: number, { ticker: _, applied_on, ...action }: StoredAction): KnownAction {
    if (applied_on === undefined) return action;
    const row = this.#panel.rowAt(index, this.#panel.dayOnOrBefore(applied_on));
    const { price } = factorsOf(this.#panel, index, row);
    return price === 1 ? action : { ...action, price_factor: price };
  }
}

function factorsOf({ columns }: Panel, index: number, row: number): Factors {
  if (row <= columns.offsets[index]!) return UNCHANGED;
  const { terms } = columns;
  return {
    price: factorAt(terms, row),
    share: cumShareFactorAt(terms, row) / cumShareFactorAt(terms, row - 1),
  };
}

/** @param knownOn later than its day if the new shares were listed later */
function detected(date: string, factors: Factors, knownOn: string): KnownAction {
  return {
    kind: detectedKind(factors),
    ex_date: date,
    known_on: knownOn,
    status: 'detected',
    price_factor: factors.price,
    ...(factors.share !== 1 && { ratio: 1 / factors.share }),
  };
}

/** An order in which no two actions of a stock are equal, so that a page can begin after any of them. */
function latestFirst(a: KnownAction, b: KnownAction): number {
  const [first, second] = [positionOf(a), positionOf(b)];
  if (first.ex_date !== second.ex_date) return first.ex_date < second.ex_date ? 1 : -1;
  return first.key < second.key ? -1 : 1;
}

/** Where an action stands in the list of its stock: by day, and on the same day by a text. */
export function positionOf({ ex_date, kind, status, index = '' }: KnownAction) {
  const place = status === 'overruled' ? 'overruled' : 'counts';
  return { ex_date, key: [kind, place, index].join(' ') };
}
