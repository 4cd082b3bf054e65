import { rounded } from '#foundation/rounded.ts';
import { TRADING_DAYS_OF_A_YEAR } from '#quant/performance/equity.ts';
import type { Barriers } from '#quant/labels/triple-barrier.ts';
import { returnsBy, type EquityFigures } from '#quant/simulation/figures.ts';
import { isBoughtAtStop, type Journal, type Trade } from '#quant/simulation/journal.ts';
import type { Picks } from '#quant/simulation/picks.ts';
import type { SimulatedMarket } from '#quant/simulation/simulated-market.ts';
import type { Figures, MissedRow, SimulationFields, TradeRow } from './result.ts';

const MOST_DRAWDOWNS = 5;
/** A result must stay small enough to be cached in memory. */
const MOST_ROWS = 2_000;

export function pctOf(share: number): number {
  return rounded(100 * share, 2);
}

/** Part of the equity that is in positions on average, percent. */
export function exposurePct({ investedIdr, equityIdr }: Journal): number {
  return pctOf(mean(investedIdr.map((value, at) => value / equityIdr[at]!)));
}

export function figuresOf(figures: EquityFigures, end: number): Figures {
  const { sharpe, sortino, drawdowns } = figures;
  return {
    end_idr: Math.round(end),
    total_return_pct: pctOf(figures.totalReturn),
    annual_return_pct: pctOf(figures.annualReturn),
    annual_volatility_pct: pctOf(figures.annualVolatility),
    sharpe: sharpe === undefined ? null : rounded(sharpe, 2),
    sortino: sortino === undefined ? null : rounded(sortino, 2),
    max_drawdown_pct: pctOf(drawdowns[0]?.depth ?? 0),
  };
}

type History = Pick<
  SimulationFields,
  'from' | 'to' | 'days' | 'exposure_pct' | 'turnover' | 'costs_idr' | 'by_year' | 'by_month' | 'drawdowns'
>;

/** What happened day by day, and by longer periods. */
export function historyOf(
  market: SimulatedMarket,
  journal: Journal,
  equalWeight: Float64Array,
  drawdowns: EquityFigures['drawdowns'],
): History {
  const { equityIdr, investedIdr, tradedIdr, costsIdr } = journal;
  const date = equityIdr.map((_, at) => market.dateOf(market.span.firstDay + at));
  const years = (date.length - 1) / TRADING_DAYS_OF_A_YEAR;
  const by = <Name extends 'year' | 'month'>(name: Name, length: number) => {
    const periodOf = (at: number) => date[at]!.slice(0, length);
    const ofMarket = returnsBy(equalWeight, periodOf);
    return returnsBy(equityIdr, periodOf).map(({ period, value }, at) => ({
      [name]: period,
      return_pct: pctOf(value),
      equal_weight_pct: pctOf(ofMarket[at]!.value),
    })) as SimulationFields[`by_${Name}`];
  };
  return {
    from: date[0]!,
    to: date.at(-1)!,
    exposure_pct: exposurePct(journal),
    turnover: rounded(sum(tradedIdr) / 2 / mean(equityIdr) / years, 2),
    costs_idr: sum(costsIdr),
    by_year: by('year', 'YYYY'.length),
    by_month: by('month', 'YYYY-MM'.length),
    drawdowns: drawdowns.slice(0, MOST_DRAWDOWNS).map(({ from, lowest, recovered, depth }) => ({
      from: date[from]!,
      lowest: date[lowest]!,
      recovered: recovered === undefined ? null : date[recovered]!,
      depth_pct: pctOf(depth),
    })),
    days: {
      date,
      equity_idr: equityIdr.map(Math.round),
      exposure_pct: investedIdr.map((value, at) => pctOf(value / equityIdr[at]!)),
      traded_idr: tradedIdr,
      equal_weight_idr: Array.from(equalWeight, Math.round),
    },
  };
}

type Trades = Pick<
  SimulationFields,
  'trade_count' | 'bought_at_stop_count' | 'trades' | 'missed_count' | 'missed'
>;

export function tradesOf(
  market: SimulatedMarket,
  picks: Picks,
  { trades, missed }: Journal,
  barriers: Barriers,
): Trades {
  const { tickers } = market.panel.columns;
  const rankOf = ({ stock, pickedDay }: Trade) => {
    const at = picks.days.indexOf(pickedDay);
    return 1 + picks.stocks.subarray(picks.starts[at], picks.starts[at + 1]).indexOf(stock);
  };
  const row = (trade: Trade): TradeRow => ({
    ticker: tickers[trade.stock]!,
    picked_on: market.dateOf(trade.pickedDay),
    rank: rankOf(trade),
    bought_on: market.dateOf(trade.boughtDay),
    shares: trade.shares,
    price: rounded(trade.price, 2),
    paid_idr: trade.paidIdr,
    sold_on: trade.soldDay === undefined ? null : market.dateOf(trade.soldDay),
    received_idr: trade.receivedIdr,
    exit_reason: trade.reason ?? 'held',
    return_pct: trade.reason === undefined ? null : pctOf(trade.receivedIdr / trade.paidIdr - 1),
    thin_days: trade.thinDays,
  });
  const missedRows = missed.slice(-MOST_ROWS).map(({ stock, pickedDay, why, asked, bought }): MissedRow => ({
    ticker: tickers[stock]!,
    picked_on: market.dateOf(pickedDay),
    why,
    asked,
    bought,
  }));
  return {
    trade_count: trades.length,
    bought_at_stop_count: trades.filter((trade) => isBoughtAtStop(market, trade, barriers)).length,
    trades: trades.slice(-MOST_ROWS).map(row),
    missed_count: missed.length,
    missed: missedRows,
  };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
