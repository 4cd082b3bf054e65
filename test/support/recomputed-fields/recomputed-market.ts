import { DAY_MS } from '#foundation/iso-day.ts';
import type { Figure } from './arithmetic.ts';
import { corporateFactors } from './corporate-factors.ts';
import { figuresOfBrokers, type StockBrokers } from './figures-of-brokers.ts';
import { FIGURES_OF_MOMENTUM } from './figures-of-momentum.ts';
import { FIGURES_OF_PRICES } from './figures-of-prices.ts';
import { FIGURES_OF_MONEY, FIGURES_OF_TRADING } from './figures-of-trading.ts';
import { MarketHistory } from './market-history.ts';
import { rawStock, type RawArchive, type RawStock } from './raw-archive.ts';
import { StockView } from './stock-view.ts';

/** Figures of prices, momentum and trading that a day without a trade has; docs/screening.md says which these are. */
const WITHOUT_TRADE: ReadonlySet<string> = new Set([
  ...['close', 'reference_price', 'closed_at_upper_limit'],
  ...['high_52w', 'low_52w', 'dist_high_52w_pct', 'dist_low_52w_pct'],
  ...['volume', 'value_idr', 'trades', 'value_5d', 'value_20d', 'value_60d'],
  ...['turnover_20d_pct', 'trade_size_20d_idr', 'traded_days_20d', 'traded_days_60d'],
  ...['is_liquid', 'is_tradable', 'market_cap_idr', 'listed_shares'],
  ...Object.keys(FIGURES_OF_MONEY),
]);

/** What happened to a stock: indices of its lines. */
export interface StockPast {
  ticker: string;
  lines: number;
  /** First lines under new terms. */
  splits: number[];
  /** Lines without a trade. */
  halts: number[];
  isListedLater: boolean;
}

/** The old ticker, whose lines are those of the new one. */
export interface RenamedStock {
  from: string;
  to: string;
}

/**
 * Fields by their formulas, from lines of the exchange's files. It shares no code with the fields under test. Files are parsed again
 * for each stock that is asked for, because all lines together would take half a gigabyte.
 */
export class RecomputedMarket {
  readonly pasts: StockPast[] = [];
  readonly #archive: RawArchive;
  readonly #renamed: RenamedStock;
  readonly #openDays: ReadonlySet<string>;
  readonly #history: MarketHistory;

  constructor(archive: RawArchive, renamed: RenamedStock) {
    this.#archive = archive;
    this.#renamed = renamed;
    this.#openDays = new Set(archive.exchangeDays);
    this.#history = new MarketHistory(archive.exchangeDays);
    for (const ticker of archive.bars.keys()) if (ticker !== renamed.from) this.#add(this.#stock(ticker));
  }

  get exchangeDays(): readonly string[] {
    return this.#archive.exchangeDays;
  }

  /** The dates of a stock's lines. */
  datesOf(ticker: string): string[] {
    return this.#stock(ticker).days.map(({ date }) => date);
  }

  viewOf(ticker: string, date: string): StockView {
    const stock = this.#stock(ticker);
    const { exchangeDays } = this;
    return new StockView(stock, corporateFactors(stock, exchangeDays), { exchangeDays, date });
  }

  /** Every field of a stock on a day on which it has a line. */
  figuresOf(view: StockView, brokers: StockBrokers): Record<string, Figure> {
    const ofStock = { ...FIGURES_OF_PRICES, ...FIGURES_OF_MOMENTUM, ...FIGURES_OF_TRADING };
    const isNull = (name: string) => view.today.volume === 0 && !WITHOUT_TRADE.has(name);
    return {
      ...Object.fromEntries(
        Object.entries(ofStock).map(([name, figure]) => [name, isNull(name) ? null : figure(view)]),
      ),
      ...figuresOfBrokers(view, brokers),
      ...this.#history.figuresOn(view.date),
      ...figuresOfListing(view, this.#archive, this.exchangeDays.at(-1)!),
    };
  }

  #add(stock: RawStock): void {
    const factors = corporateFactors(stock, this.exchangeDays);
    this.#history.add(stock, factors);
    const linesWhere = (holds: (line: number) => boolean) => [...stock.days.keys()].filter(holds);
    this.pasts.push({
      ticker: stock.ticker,
      lines: stock.days.length,
      splits: linesWhere((line) => factors[line]!.shares !== 1),
      halts: linesWhere((line) => stock.days[line]!.volume === 0),
      isListedLater: stock.days[0]!.date > this.exchangeDays[0]!,
    });
  }

  #stock(ticker: string): RawStock {
    const own = this.#raw(ticker);
    const { from, to } = this.#renamed;
    if (ticker !== to) return own;
    const old = this.#raw(from);
    return { ticker, days: [...old.days, ...own.days], refused: [...old.refused, ...own.refused] };
  }

  #raw(ticker: string): RawStock {
    return rawStock(ticker, this.#archive.bars.get(ticker)!, this.#openDays);
  }
}

/** The exchange's classification by sector began on this day. */
const SECTORS_SINCE = '2021-01-25';

/** Every field of the group listing. */
function figuresOfListing(
  view: StockView,
  { listing }: RawArchive,
  newestDate: string,
): Record<string, Figure> {
  const { ticker, date, bars, exchangeDays } = view;
  const listed = listing.get(ticker);
  return {
    ticker,
    sector: date >= SECTORS_SINCE ? (listed?.sector ?? null) : null,
    board: date === newestDate ? (listed?.board ?? null) : null,
    listed_days: listed ? (Date.parse(date) - Date.parse(listed.listedOn)) / DAY_MS : null,
    traded_bars: bars.length || null,
    days_since_trade: view.lastBar ? exchangeDays.length - 1 - exchangeDays.indexOf(view.lastBar.date) : null,
  };
}
