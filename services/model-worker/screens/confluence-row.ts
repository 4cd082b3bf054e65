import { bollinger } from '#quant/indicators/bollinger.ts';
import { CONFLUENCE_SIGNALS, type ConfluenceSignal } from '#quant/indicators/confluence.ts';
import { macd } from '#quant/indicators/macd.ts';
import { rsi } from '#quant/indicators/rsi.ts';
import { sma } from '#quant/indicators/sma.ts';
import { stochastic } from '#quant/indicators/stochastic.ts';
import type { Hit } from './confluence-market.ts';
import { abbreviated, grouped, multiple, rounded, signedPercent } from './display.ts';
import { plainNumber } from '#shared/indonesian.ts';

/**
 * A pick in the contract's fields. `MACD Hist` is the histogram against the close, `MA Spread` the 5-day average
 * against the 20-day one, `Vol Ratio` that of the bar where the volume signal fired (else of the last bar),
 * `Daily Val` the 20-day average that `min_daily_val` is compared with, `BB Width` in percent of the middle band.
 */
export function confluenceRow({ stock, series, reading }: Hit): Record<string, string | number> {
  const { high, low, close } = series;
  const lastOf = (values: Float64Array) => values.at(-1)!;
  return {
    Ticker: stock.code,
    Signals: reading.count,
    'Signal Detail': signalDetail(reading),
    'Stoch %K': rounded(lastOf(stochastic(high, low, close).k), 1),
    'MACD Hist': signedPercent(lastOf(macd(close).histogram) / lastOf(close)),
    'MA Spread': signedPercent(lastOf(sma(close, 5)) / lastOf(sma(close, 20)) - 1),
    'Vol Ratio': multiple(reading.volumeRatio),
    'Last Close': grouped(stock.close),
    'Daily Val': abbreviated(stock.averageValue),
    RSI: rounded(lastOf(rsi(close)), 1),
    'BB Width': rounded(lastOf(bollinger(close).widthPct), 2),
  };
}

const DETAIL: Record<ConfluenceSignal, (volumeRatio: number) => string> = {
  stochastic: () => 'Stochastic memotong ke atas dari area jenuh jual',
  macd: () => 'Histogram MACD berbalik positif',
  ma_cross: () => 'MA5 menembus MA20',
  volume: (ratio) => `Volume ${plainNumber(rounded(ratio, 1))}x rata-rata 20 hari`,
};

export function signalDetail({ barsAgo, volumeRatio }: Hit['reading']): string {
  const fired = CONFLUENCE_SIGNALS.filter((signal) => barsAgo[signal] !== null);
  return fired.map((signal) => DETAIL[signal](volumeRatio)).join('; ');
}
