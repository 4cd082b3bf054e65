import { sma } from '../indicators/moving-averages.ts';
import { macd, rsi } from '../indicators/oscillators.ts';
import {
  rollingMax,
  rollingMin,
  rollingRSquared,
  rollingCorrelation,
  rollingStdDev,
} from '../indicators/rolling.ts';
import { atr } from '../indicators/volatility.ts';
import { tradesOf } from '../panel/windows.ts';
import type { RegimeHistory } from '../regime/regime.ts';
import { ratio, type StockBars } from './stock-bars.ts';

interface Definition {
  /** snake_case. Numbers are windows: traded bars for prices and volumes, exchange days for money. */
  name: string;
  /** For the row's bar, in terms of panel columns. `mean`, `std`, `max` and the like take values and a window. */
  formula: string;
  source: string;
}

/** A figure of a stock. A model sees its rank among the names of the day. */
export interface StockFeature extends Definition {
  /** One value for each traded bar, computed from that bar and earlier ones; NaN where it is not defined. */
  of: (stock: StockBars) => Float64Array;
}

/** A figure of the market. A model sees the value itself, about -1 to 1. */
export interface MarketFeature extends Definition {
  /** One value for each calendar day, computed from that day and earlier ones; NaN where it is not defined. */
  of: (history: RegimeHistory) => Float64Array;
}

/** A ratio, not a return: near 1, a 32-bit float drops the rounding error that would rank unchanged prices differently. */
const change = (bars: number): StockFeature => ({
  name: `roc_${bars}`,
  formula: `close / close ${bars} bars before`,
  source: `qlib Alpha158 ROC${bars}, inverted`,
  of: ({ close }) => {
    const out = new Float64Array(close.length).fill(NaN);
    for (let bar = bars; bar < out.length; bar++) out[bar] = close[bar]! / close[bar - bars]!;
    return out;
  },
});

const aboveMean = (bars: number): StockFeature => ({
  name: `ma_${bars}`,
  formula: `close / mean(close, ${bars})`,
  source: `qlib Alpha158 MA${bars}, inverted`,
  of: ({ close }) => ratio(close, sma(close, bars)),
});

const belowHigh = (bars: number): StockFeature => ({
  name: `max_${bars}`,
  formula: `close / max(high, ${bars})`,
  source: `qlib Alpha158 MAX${bars}, inverted; George & Hwang 2004 with a year`,
  of: ({ high, close }) => ratio(close, rollingMax(high, bars)),
});

const aboveLow = (bars: number): StockFeature => ({
  name: `min_${bars}`,
  formula: `close / min(low, ${bars})`,
  source: `qlib Alpha158 MIN${bars}, inverted`,
  of: ({ low, close }) => ratio(close, rollingMin(low, bars)),
});

/** 0 at the lower bound, 1 at the upper bound, 0.5 when the bounds are equal. */
function placeBetween(lower: Float64Array, upper: Float64Array, { close }: StockBars): Float64Array {
  const out = new Float64Array(close.length);
  for (let bar = 0; bar < out.length; bar++) {
    const width = upper[bar]! - lower[bar]!;
    out[bar] = width === 0 ? 0.5 : (close[bar]! - lower[bar]!) / width;
  }
  return out;
}

/** Where the price stands against its past. */
const PRICE_FEATURES: readonly StockFeature[] = [
  ...[1, 5, 20, 60, 120].map(change),
  ...[5, 20, 50].map(aboveMean),
  belowHigh(60),
  aboveLow(60),
  {
    name: 'close_place',
    formula: '(close - low) / (high - low), 0.5 where these are equal',
    source: 'qlib Alpha158 KSFT, scaled by the range: opens are not known',
    of: (stock) => placeBetween(stock.low, stock.high, stock),
  },
  {
    name: 'bollinger_place',
    formula: '(close - mean(close, 20)) / std(close, 20), 0 where the price never moved',
    source: 'Bollinger 2001, %b up to a constant',
    of: (stock) => {
      const { close, meanClose, closeDeviation } = stock;
      return stock.map((bar) => {
        const deviation = closeDeviation[bar]!;
        return deviation === 0 ? 0 : (close[bar]! - meanClose[bar]!) / deviation;
      });
    },
  },
  {
    name: 'rsi_14',
    formula: 'rsi(close, 14)',
    source: 'Wilder 1978',
    of: ({ close }) => rsi(close),
  },
  {
    name: 'macd_histogram',
    formula: 'histogram of macd(close, 12, 26, 9) / close',
    source: 'Appel 2005',
    of: ({ close }) => ratio(macd(close).histogram, close),
  },
  {
    name: 'rsqr_20',
    formula: 'share of the variance of 20 closes that a straight line explains',
    source: 'qlib Alpha158 RSQR20',
    of: ({ close }) => rollingRSquared(close, 20),
  },
  {
    name: 'rises_20',
    formula: 'share of the last 20 bars that closed above the bar before',
    source: 'qlib Alpha158 CNTP20',
    of: (stock) => {
      const { returns } = stock;
      return sma(
        stock.map((bar) => (bar === 0 ? NaN : returns[bar]! > 0 ? 1 : 0)),
        20,
      );
    },
  },
];

/** Traded volume, and how it goes with the price. */
const VOLUME_FEATURES: readonly StockFeature[] = [
  {
    name: 'volume_20',
    formula: 'volume / mean(volume, 20)',
    source: 'qlib Alpha158 VMA20, inverted',
    of: (stock) => stock.ofVolume(ratio(stock.volume, stock.meanVolume), 20),
  },
  {
    name: 'volume_std_20',
    formula: 'std(volume, 20) / mean(volume, 20)',
    source: 'qlib Alpha158 VSTD20, over the mean',
    of: (stock) => stock.ofVolume(ratio(rollingStdDev(stock.volume, 20, 1), stock.meanVolume), 20),
  },
  {
    name: 'weighted_volatility_20',
    formula: 'std(|log return| × volume, 20) / mean(|log return| × volume, 20)',
    source: 'qlib Alpha158 WVMA20',
    of: (stock) => {
      const weighted = stock.map((bar) => Math.abs(stock.returns[bar]!) * stock.volume[bar]!);
      return stock.ofVolume(ratio(rollingStdDev(weighted, 20, 1), sma(weighted, 20)), 20);
    },
  },
  {
    name: 'price_volume_corr_20',
    formula: 'correlation of close and log volume over 20 bars',
    source: 'qlib Alpha158 CORR20',
    of: (stock) => {
      const logVolume = stock.map((bar) => Math.log(stock.volume[bar]!));
      return stock.ofVolume(rollingCorrelation(stock.close, logVolume, 20), 20);
    },
  },
];

const LIMIT_SOURCE = 'IDX decrees on auto rejection';

/** How far the price moves, and how far it may move on the day. */
const VOLATILITY_FEATURES: readonly StockFeature[] = [
  {
    name: 'range_1',
    formula: '(high - low) / close',
    source: 'qlib Alpha158 KLEN, over the close: opens are not known',
    of: (stock) => stock.map((bar) => (stock.high[bar]! - stock.low[bar]!) / stock.close[bar]!),
  },
  {
    name: 'atr_14',
    formula: 'atr(14) / close',
    source: 'Wilder 1978',
    of: ({ high, low, close }) => ratio(atr(high, low, close), close),
  },
  {
    name: 'std_20',
    formula: 'std(close, 20) / close',
    source: 'qlib Alpha158 STD20',
    of: ({ close, closeDeviation }) => ratio(closeDeviation, close),
  },
  {
    name: 'volatility_60',
    formula: 'std(log return, 60)',
    source: 'Ang, Hodrick, Xing & Zhang 2006: total volatility',
    of: ({ returns }) => rollingStdDev(returns, 60, 1),
  },
  {
    name: 'upper_limit_gap',
    formula: 'upper auto-rejection limit of the day / close, on the board that the last 20 days show',
    source: LIMIT_SOURCE,
    of: (stock) => stock.map((bar, row) => stock.limitsOf(bar).upper / stock.panel.columns.close[row]!),
  },
  {
    name: 'lower_limit_gap',
    formula: 'lower auto-rejection limit of the day / close, on the board that the last 20 days show',
    source: LIMIT_SOURCE,
    of: (stock) => stock.map((bar, row) => stock.limitsOf(bar).lower / stock.panel.columns.close[row]!),
  },
];

const foreignNet = (days: number): StockFeature => ({
  name: `foreign_net_${days}`,
  formula: `net foreign value of ${days} days / value of ${days} days`,
  source: 'Choe, Kho & Stulz 1999: trades of foreign investors, which the exchange publishes',
  of: (stock) => ratio(stock.sumOverDays(stock.foreignNet, days), stock.valueOver(days)),
});

/** Gross trading of foreign investors in IDR for each row. In shares, a split would change the unit. */
function foreignGross(stock: StockBars): Float64Array {
  const { foreign_buy, foreign_sell, value, volume } = stock.panel.columns;
  return stock.ofRows((row) => {
    if (volume[row] === 0) return 0;
    return ((foreign_buy[row]! + foreign_sell[row]!) * value[row]!) / volume[row]!;
  });
}

/** How much is traded in a stock, by whom, and its market capitalisation. */
const MONEY_FEATURES: readonly StockFeature[] = [
  {
    name: 'average_value_20',
    formula: 'value of 20 days',
    source: 'Brennan, Chordia & Subrahmanyam 1998: traded value',
    of: ({ monthValue }) => monthValue,
  },
  {
    name: 'turnover_20',
    formula: 'value of 20 days / (listed_shares × close)',
    source: 'Datar, Naik & Radcliffe 1998',
    of: (stock) => ratio(stock.monthValue, stock.capitalisation),
  },
  {
    name: 'capitalisation',
    formula: 'listed_shares × close',
    source: 'Banz 1981',
    of: (stock) => stock.capitalisation,
  },
  {
    name: 'trade_size_20',
    formula: 'value of 20 days / number of trades of 20 days',
    source: 'Lee & Radhakrishna 2000: small trades are those of private investors',
    of: (stock) => {
      const trades = stock.ofRows((row) => tradesOf(stock.panel, row));
      return ratio(stock.monthValue, stock.sumOverDays(trades, 20));
    },
  },
  {
    name: 'foreign_share_20',
    formula: 'value bought and sold by foreign investors in 20 days / (2 × value of 20 days)',
    source: 'Grinblatt & Keloharju 2000: foreign investors as a class',
    of: (stock) => {
      const dealt = stock.sumOverDays(foreignGross(stock), 20);
      return stock.map((bar) => dealt[bar]! / (2 * stock.monthValue[bar]!));
    },
  },
  ...[5, 20].map(foreignNet),
  {
    name: 'nego_20',
    formula: 'nego_value of 20 days / value of 20 days',
    source: 'Keim & Madhavan 1996: blocks dealt off the market',
    of: (stock) => {
      const { nego_value } = stock.panel.columns;
      const dealt = stock.ofRows((row) => nego_value[row]!);
      return ratio(stock.sumOverDays(dealt, 20), stock.monthValue);
    },
  },
  {
    name: 'age',
    formula: 'traded bars so far',
    source: 'Ritter 1991: young stocks',
    of: (stock) => stock.map((bar) => bar + 1),
  },
];

/** In the order of a feature table's columns. */
export const STOCK_FEATURES: readonly StockFeature[] = [
  ...PRICE_FEATURES,
  ...VOLATILITY_FEATURES,
  ...VOLUME_FEATURES,
  ...MONEY_FEATURES,
];

/**
 * The only market figure that models see; it is the same for every name of a day. Other figures (breadth, returns and
 * volatility of the index) teach a model which months were good. With all of them, the AUC on unseen days of the real market
 * of 2022 to 2024 was .548; with the score alone it was .560.
 */
export const MARKET_FEATURES: readonly MarketFeature[] = [
  {
    name: 'regime_score',
    formula: 'regime score / 100',
    source: 'composition of breadth and trend, see regimeScores',
    of: ({ score }) => score.map((points) => points / 100),
  },
];
