import {
  deviation,
  logReturns,
  mean,
  named,
  ofLast,
  orNull,
  percent,
  sumOf,
  type Figure,
} from './arithmetic.ts';
import { regularLimits, specialLimits } from './price-limits.ts';
import type { RawDay } from './raw-archive.ts';
import type { StockView } from './stock-view.ts';

type Figures = Record<string, (view: StockView) => Figure>;

/** What foreign investors bought less what they sold: the exchange publishes shares, so at the average price of the day. */
export const foreignNet = ({ foreignBuy, foreignSell, value, volume }: RawDay) =>
  volume === 0 ? 0 : ((foreignBuy - foreignSell) * value) / volume;
const foreignGross = ({ foreignBuy, foreignSell, value, volume }: RawDay) =>
  volume === 0 ? 0 : ((foreignBuy + foreignSell) * value) / volume;
const valueOf = ({ value }: RawDay) => value;

/** A figure of the exchange days that end on the day, whether or not the stock traded on it. */
const ofDays =
  (days: number, figure: (window: RawDay[], today: RawDay) => Figure) =>
  (view: StockView): Figure =>
    figure(view.window(days), view.today);

const averageValue = (view: StockView, days: number) =>
  view.isListedFor(days) ? sumOf(view.window(days), valueOf) / days : null;

const volumesOf = (view: StockView) => view.bars.map(({ volume }) => volume);

const marketValue = ({ today, isInDoubt }: StockView) =>
  isInDoubt ? null : today.listedShares * today.close || null;

const TRADING: Figures = {
  volume: ({ today }) => today.volume,
  value_idr: ({ today }) => today.value,
  trades: ({ today }) => today.trades,
  ...named([5, 20, 60], (days) => ({
    [`value_${days}d`]: (view) => averageValue(view, days),
    [`volume_ratio_${days}`]: (view) =>
      ofLast(days, volumesOf(view), (volumes) => orNull(volumes.at(-1)! / mean(volumes))),
  })),
  volume_variation_20: (view) =>
    ofLast(20, volumesOf(view), (volumes) => orNull(deviation(volumes, 1) / mean(volumes))),
  weighted_volatility_20: ({ bars }) =>
    ofLast(21, bars, (last) => {
      const moves = logReturns(last.map(({ close }) => close));
      const weighted = moves.map((move, i) => Math.abs(move) * last[i + 1]!.volume);
      return orNull(deviation(weighted, 1) / mean(weighted));
    }),
  turnover_20d_pct: (view) => percent(sumOf(view.window(20), valueOf) / (marketValue(view) ?? NaN)),
  trade_size_20d_idr: ofDays(20, (days) =>
    orNull(sumOf(days, valueOf) / sumOf(days, ({ trades }) => trades)),
  ),
  ...named([20, 60], (days) => ({
    [`traded_days_${days}d`]: (view) => view.window(days).filter(({ volume }) => volume > 0).length,
  })),
  is_liquid: (view) => view.today.volume > 0 && (averageValue(view, 20) ?? 0) >= 1e9,
  is_tradable: isTradable,
  market_cap_idr: marketValue,
  listed_shares: ({ today }) => today.listedShares || null,
};

function isTradable(view: StockView): boolean {
  const recent = view.window(20).filter(({ volume }) => volume > 0);
  if (view.today.volume === 0 || view.bars.length < 120 || recent.length < 18) return false;
  return !looksSpecial(recent);
}

/**
 * What shows that a stock is on the watch list or the acceleration board: a price under 50, mostly days of one price, or two days
 * that ended exactly at its narrow limit and none that went beyond.
 */
function looksSpecial(days: readonly RawDay[]): boolean {
  return 2 * days.filter(({ high, low }) => high === low).length >= days.length || keepsNarrowLimits(days);
}

export function keepsNarrowLimits(days: readonly RawDay[]): boolean {
  if (days.some(({ low }) => low < 50)) return true;
  const isBeyond = ({ high, low, previous, date }: RawDay) => {
    const { lower, upper } = specialLimits(previous, date);
    return high > upper || low < lower;
  };
  const isAt = ({ high, low, previous, date }: RawDay) => {
    const { lower, upper } = specialLimits(previous, date);
    return high === upper || (low === lower && lower !== regularLimits(previous, date, false).lower);
  };
  return !days.some(isBeyond) && days.filter(isAt).length >= 2;
}

const FOREIGN: Figures = {
  ...named([1, 5, 10, 20, 60], (days) => ({
    [`foreign_net_${days}d_idr`]: (view) => sumOf(view.window(days), foreignNet),
  })),
  ...named([5, 20], (days) => ({
    [`foreign_net_${days}d_pct`]: ofDays(days, (window) =>
      percent(sumOf(window, foreignNet) / sumOf(window, valueOf)),
    ),
  })),
  foreign_share_20d_pct: ofDays(20, (window) =>
    percent(sumOf(window, foreignGross) / (2 * sumOf(window, valueOf))),
  ),
  foreign_buy_days_20d: (view) => view.window(20).filter((day) => foreignNet(day) > 0).length,
  foreign_sell_days_20d: (view) => view.window(20).filter((day) => foreignNet(day) < 0).length,
};

const NEGOTIATED: Figures = {
  ...named([1, 5, 20], (days) => ({
    [`nego_value_${days}d_idr`]: (view) => sumOf(view.window(days), ({ negoValue }) => negoValue),
  })),
  nego_share_20d_pct: ofDays(20, (window) =>
    percent(sumOf(window, ({ negoValue }) => negoValue) / sumOf(window, valueOf)),
  ),
  nego_premium_20d_pct: (view) => {
    const dealt = view.window(20).filter(({ negoValue }) => negoValue > 0);
    const atCloses = sumOf(dealt, ({ negoVolume, close }) => negoVolume * close);
    const times = sumOf(dealt, ({ negoValue }) => negoValue) / atCloses;
    return times >= 0.5 && times <= 2 ? percent(times - 1) : null;
  },
  nego_days_20d: (view) => view.window(20).filter(({ negoValue }) => negoValue > 0).length,
};

/** Fields of the groups foreign and negotiated. */
export const FIGURES_OF_MONEY: Figures = { ...FOREIGN, ...NEGOTIATED };

/** Those and fields of the group trading. */
export const FIGURES_OF_TRADING: Figures = { ...TRADING, ...FIGURES_OF_MONEY };
