import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { whyOutside } from '#quant/universe/candidates.ts';
import { codeOf } from '#foundation/text/codes.ts';
import { Localised, localised } from '#foundation/text/localised.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { BECAUSE } from '../reasons/outside-universe.ts';
import type { PositionInput, RecoveryParams } from './params.ts';

/** A position that can be judged. */
export interface HeldPosition extends PositionPrice {
  code: string;
  /** Index into the panel. */
  ticker: number;
  /** Row of the feature table: the newest within the last trading days. */
  tableRow: number;
  /** Row of the panel whose close is the current price. */
  panelRow: number;
  /** IDR. */
  price: number;
  /** Calendar index of its last trade. It is before the analysed day if the stock did not trade or is suspended. */
  lastTradedDay: number;
  /** Calendar index of `tableRow`. */
  judgedDay: number;
}

interface SkippedPosition {
  ticker: string;
  /** Whether the run names no tickers, or this one among them. */
  isRequested: boolean;
  /** Whether the data contains it up to the analysed day. */
  isKnown: boolean;
  reason: Localised;
}

/** Both lists are in the order in which the positions were sent. Positions are never merged. */
export interface SortedPositions {
  held: HeldPosition[];
  /** Number of positions whose ticker the data does not contain up to the analysed day. */
  unknown: number;
  skipped: SkippedPosition[];
}

const NOT_REQUESTED = new Localised(
  'Saham ini tidak termasuk saham yang diminta lewat tickers.',
  'This stock is not among the tickers asked for.',
);

/** Trading days, the analysed one included, after which a price is too old to forecast from. */
const FRESH_DAYS = 5;

/** Separates positions that are judged on `day` (calendar index) from those that are not, and says why. */
export function sortPositions(
  table: FeatureTable,
  day: number,
  { positions, tickers }: Pick<RecoveryParams, 'positions' | 'tickers'>,
): SortedPositions {
  const sorted: SortedPositions = { held: [], unknown: 0, skipped: [] };
  for (const position of positions) {
    const code = codeOf(position.ticker);
    const ticker = table.panel.tickerIndex(code);
    const panelRow = ticker === -1 ? -1 : table.panel.lastRow(ticker, day);
    const tableRow = panelRow === -1 ? -1 : newestTableRow(table, ticker, day);
    if (panelRow === -1) sorted.unknown++;
    const isRequested = tickers?.includes(code) ?? true;
    if (!isRequested || tableRow === -1) {
      const reason = isRequested ? reasonOf(table.panel, ticker, panelRow, day) : NOT_REQUESTED;
      sorted.skipped.push({ ticker: code, isRequested, isKnown: panelRow !== -1, reason });
    } else {
      const price = table.panel.columns.close[panelRow]!;
      sorted.held.push({
        code,
        ticker,
        tableRow,
        panelRow,
        price,
        ...positionPrice(position, price),
        lastTradedDay: lastTradedDay(table.panel, ticker, panelRow),
        judgedDay: table.dayOf(tableRow),
      });
    }
  }
  return sorted;
}

/** The newest row within the last trading days: a stock that did not trade today keeps its price and is judged by that day. */
function newestTableRow(table: FeatureTable, ticker: number, day: number): number {
  for (let d = day; d > day - FRESH_DAYS && d >= 0; d--) {
    const row = table.rowAt(ticker, d);
    if (row !== -1) return row;
  }
  return -1;
}

function reasonOf(panel: Panel, ticker: number, panelRow: number, day: number): Localised {
  const { dates } = panel.columns;
  if (panelRow === -1) {
    return localised(
      ({ date }) => `Kode saham tidak dikenal dalam data sampai ${date(dates[day]!)}.`,
      ({ date }) => `The data up to ${date(dates[day]!)} does not know this ticker.`,
    );
  }
  const lastTraded = lastTradedDay(panel, ticker, panelRow);
  if (lastTraded <= day - FRESH_DAYS) {
    return localised(
      ({ date }) =>
        `Transaksi terakhir terjadi pada ${date(dates[lastTraded]!)}, padahal perkiraan memerlukan transaksi dalam ${FRESH_DAYS} hari bursa terakhir.`,
      ({ date }) =>
        `It was last traded on ${date(dates[lastTraded]!)}, and a forecast needs a trade within the last ${FRESH_DAYS} trading days.`,
    );
  }
  const because = BECAUSE[whyOutside(panel, ticker, lastTraded) ?? 'too_small'].in;
  return new Localised(
    `Saham ini tidak punya pembanding yang wajar: ${because.id}.`,
    `There is nothing fair to compare this stock with: ${because.en}.`,
  );
}

/** Last trading day up to a row of the ticker, or the day of its first row if it never traded. */
function lastTradedDay(panel: Panel, ticker: number, panelRow: number): number {
  const { day, volume } = panel.columns;
  let row = panelRow;
  while (row > panel.firstRow(ticker) && volume[row] === 0) row--;
  return day[row]!;
}

export type PnlBucket = 'winner' | 'neutral' | 'loser';

/** The gain or loss of a position so far. */
interface PositionPrice {
  /** Profit (loss when negative) in percent of the average price, two decimals. */
  pnlPct: number;
  /** IDR a share, two decimals. */
  avgPrice: number;
  bucket: PnlBucket;
}

/** Profit or loss, in percent, from which a position counts as a winner or loser. */
const DECIDED_PCT = 2;
/** Minimum average price: the smallest value with two decimals. */
const MIN_PRICE_IDR = 0.01;

/** Keeps the number that was sent. The other one is computed from it and the current price in IDR. */
export function positionPrice(position: PositionInput, currentPrice: number): PositionPrice {
  const pnlPct = position.pnl_input ?? toDecimals(100 * (currentPrice / position.avg_price_input - 1), 2);
  const avgPrice =
    position.avg_price_input ?? Math.max(MIN_PRICE_IDR, toDecimals(currentPrice / (1 + pnlPct / 100), 2));
  return { pnlPct, avgPrice, bucket: bucketOf(pnlPct) };
}

function bucketOf(pnlPct: number): PnlBucket {
  if (pnlPct >= DECIDED_PCT) return 'winner';
  return pnlPct <= -DECIDED_PCT ? 'loser' : 'neutral';
}
