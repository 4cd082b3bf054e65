import {
  annualised,
  band,
  comparedTo,
  macdLines,
  mean,
  ofClose,
  relativeStrength,
  stochasticLines,
  timesItsMean,
  trueRangeAverage,
  type Bar,
  type Stream,
} from '#quant/indicators/textbook-fixture.ts';
import { adjustments, type CsvDay } from './csv-market.ts';

const YEAR_MS = 364 * 86_400_000;

/** Price features of a snapshot by their textbook formulas, computed from the traded days of a file. */
export function expectedPriceFeatures(
  days: CsvDay[],
  shareScale: (day: CsvDay) => number,
): Record<string, number> {
  const scale = adjustments(days);
  const bars = days
    .map((day, i) => ({
      date: day.date,
      high: day.high * scale[i]!,
      low: day.low * scale[i]!,
      close: day.close * scale[i]!,
      volume: day.volume * shareScale(day),
    }))
    .filter(({ volume }) => volume > 0);
  const lines = Object.fromEntries(
    Object.entries(LINES()).map(([name, stream]) => [name, bars.map(stream).at(-1)!]),
  );
  const { close, date } = bars.at(-1)!;
  const year = bars.filter((bar) => Date.parse(date) - Date.parse(bar.date) < YEAR_MS);
  const [high, low] = [Math.max(...year.map((bar) => bar.high)), Math.min(...year.map((bar) => bar.low))];
  const above = (level: number) => 100 * (close / level - 1);
  return {
    ...lines,
    dist_ma20_pct: above(lines['ma20']!),
    dist_ma50_pct: above(lines['ma50']!),
    bb_width_pct: (100 * (lines['bb_upper']! - lines['bb_lower']!)) / lines['ma20']!,
    atr14_pct: (100 * lines['atr14']!) / close,
    high_52w: high,
    low_52w: low,
    dist_52w_high_pct: above(high),
  };
}

function LINES(): Record<string, Stream<Bar>> {
  const [macd, macd_signal, macd_hist] = macdLines().map(ofClose) as [Stream<Bar>, Stream<Bar>, Stream<Bar>];
  const [stoch_k, stoch_d] = stochasticLines();
  const ret = (bars: number) => ofClose(comparedTo(bars, (now, before) => 100 * (now / before - 1)));
  return {
    macd,
    macd_signal,
    macd_hist,
    stoch_k,
    stoch_d,
    ...Object.fromEntries([5, 10, 20, 50, 200].map((period) => [`ma${period}`, ofClose(mean(period))])),
    ...Object.fromEntries([1, 5, 20].map((bars) => [`ret_${bars}d_pct`, ret(bars)])),
    rsi14: ofClose(relativeStrength(14)),
    atr14: trueRangeAverage(14),
    bb_upper: ofClose(band(1)),
    bb_lower: ofClose(band(-1)),
    volatility20_pct: percentOf(ofClose(annualised())),
    volume_ratio_5: timesItsMean(5),
    volume_ratio_20: timesItsMean(20),
  };
}

function percentOf(stream: Stream<Bar>): Stream<Bar> {
  return (bar) => 100 * stream(bar);
}
