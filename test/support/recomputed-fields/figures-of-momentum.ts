import { changes, exponential, mean, ofLast, ROUNDING, sumOf, wilders, type Figure } from './arithmetic.ts';
import { foreignNet } from './figures-of-trading.ts';
import { highest, lowest, type Bar, type StockView } from './stock-view.ts';

/** Wilder: 100 - 100 / (1 + average gain / average loss); 50 if the price never moved. One entry for each close. */
function relativeStrength(closes: readonly number[], bars: number): number[] {
  const moves = changes(closes);
  const gains = wilders(
    moves.map((move) => Math.max(move, 0)),
    bars,
  );
  const losses = wilders(
    moves.map((move) => Math.max(-move, 0)),
    bars,
  );
  return [
    NaN,
    ...gains.map((gain, i) => (gain + losses[i]! === 0 ? 50 : (100 * gain) / (gain + losses[i]!))),
  ];
}

const strength =
  (bars: number) =>
  (view: StockView): Figure =>
    ofLast(bars + 1, view.closes(), () => relativeStrength(view.closes(), bars).at(-1)!);

/** Lane: where the close stands in the range of 14 bars, 50 in a range of one price; %K is the mean of 3, %D that of 3 %K. */
function stochastic(bars: readonly Bar[]): { k: number; d: number }[] {
  const raw = bars.map((bar, i) => {
    if (i < 13) return NaN;
    const window = bars.slice(i - 13, i + 1);
    const [top, bottom] = [highest(window), lowest(window)];
    return top === bottom ? 50 : (100 * (bar.close - bottom)) / (top - bottom);
  });
  const meanOf3 = (values: number[], i: number) => (i < 2 ? NaN : mean(values.slice(i - 2, i + 1)));
  const k = raw.map((_, i) => meanOf3(raw, i));
  return k.map((value, i) => ({ k: value, d: meanOf3(k, i) }));
}

/** Appel: (12, 26), and its signal line of 9. */
function convergence(closes: readonly number[]): { line: number; signal: number }[] {
  const [fast, slow] = [exponential(closes, 12), exponential(closes, 26)];
  const line = fast.map((value, i) => value - slow[i]!);
  const signal = [...new Array<number>(25).fill(NaN), ...exponential(line.slice(25), 9)];
  return line.map((value, i) => ({ line: value, signal: signal[i]! }));
}

const ofConvergence =
  (bars: number, figure: (last: { line: number; signal: number }, close: number) => number) =>
  (view: StockView): Figure =>
    ofLast(bars, view.closes(), (closes) => figure(convergence(view.closes()).at(-1)!, closes.at(-1)!));

const meanBefore = (values: readonly number[], i: number, bars: number) =>
  i + 1 < bars ? NaN : mean(values.slice(i + 1 - bars, i + 1));

/** Which of model D's four signals fired within five bars; see domain.md 3.D. */
function confluence({ bars }: StockView): Figure {
  if (bars.length === 0) return null;
  const closes = bars.map(({ close }) => close);
  const volumes = bars.map(({ volume }) => volume);
  const [lines, macd] = [stochastic(bars), convergence(closes)];
  const crosses = (before: number, now: number, tolerance: number) => before <= tolerance && now > tolerance;
  const spread = (i: number) => meanBefore(closes, i, 5) - meanBefore(closes, i, 20);
  const histogram = (i: number) => macd[i]!.line - macd[i]!.signal;
  const signals: ((i: number) => boolean)[] = [
    (i) =>
      lines[i - 1]!.k < 30 && crosses(lines[i - 1]!.k - lines[i - 1]!.d, lines[i]!.k - lines[i]!.d, ROUNDING),
    (i) => crosses(histogram(i - 1), histogram(i), ROUNDING * closes[i]!),
    (i) => crosses(spread(i - 1), spread(i), ROUNDING * closes[i]!),
    (i) =>
      volumes[i]! >= 1.5 * meanBefore(volumes, i, 20) && closes[i]! > closes[i - 1]! + ROUNDING * closes[i]!,
  ];
  const recent = bars.map((_, i) => i).filter((i) => i > 0 && i > bars.length - 6);
  return signals.filter((hasFired) => recent.some(hasFired)).length;
}

const LOOKBACK = 10;
const RECENT = 5;

/** The signs of a turn over ten bars as PART_POINTS describes them, without those of broker rows. */
function turningScore(view: StockView): number | null {
  const { bars } = view;
  if (bars.length === 0) return null;
  const closes = bars.map(({ close }) => close);
  return pointsOfPrice(bars) + pointsOfForeigners(view) + pointsOfVolume(bars) + pointsOfMomentum(closes);
}

function rangeOf60(bars: readonly Bar[]): { high: number; low: number } | undefined {
  const last = bars.slice(-60);
  return last.length < 60 ? undefined : { high: highest(last), low: lowest(last) };
}

function pointsOfPrice(bars: readonly Bar[]): number {
  const close = bars.at(-1)!.close;
  const before = bars.at(-1 - LOOKBACK)?.close;
  const move = before === undefined ? 0 : 100 * (close / before - 1);
  const range = rangeOf60(bars);
  const fromHigh = range ? 100 * (close / range.high - 1) : NaN;
  return (
    -Number(move >= 15) + Number(move <= -10) - Number(move >= 10 && fromHigh >= -3) + Number(fromHigh <= -25)
  );
}

/** At least 5 % of the value traded in ten exchange days, or of a billion a day. */
function pointsOfForeigners(view: StockView): number {
  const days = view.window(LOOKBACK, view.lastBar!.date);
  const net = sumOf(days, foreignNet);
  const traded = sumOf(days, ({ value }) => value);
  const least = 0.05 * Math.max(traded, LOOKBACK * 1e9);
  return Number(net >= least) - Number(net <= -least);
}

function pointsOfVolume(bars: readonly Bar[]): number {
  const range = rangeOf60(bars);
  if (!range) return 0;
  const volumes = bars.map(({ volume }) => volume);
  const heavy = bars
    .map((bar, i) => ({ bar, before: bars[i - 1]!, ratio: bar.volume / meanBefore(volumes, i, 20) }))
    .slice(-RECENT)
    .filter(({ ratio }) => ratio >= 2);
  const isRed = heavy.some(({ bar, before }) => bar.close < before.close && bar.high >= 0.97 * range.high);
  const isGreen = heavy.some(({ bar, before }) => bar.close > before.close && bar.low <= 1.03 * range.low);
  return Number(isGreen) - Number(isRed);
}

function pointsOfMomentum(closes: readonly number[]): number {
  const index = relativeStrength(closes, 14);
  const [before, now] = [index.at(-2) ?? NaN, index.at(-1)!];
  const turn = divergence(closes, index);
  const isTired = now > 75 || turn === 'bearish';
  const isTurning = (before < 30 && now > before) || turn === 'bullish';
  return Number(isTurning) - Number(isTired) + Number(hasCrossedUp(closes));
}

function hasCrossedUp(closes: readonly number[]): boolean {
  const isAbove = (i: number) => meanBefore(closes, i, 5) > meanBefore(closes, i, 20) * (1 + ROUNDING);
  const isBelow = (i: number) => meanBefore(closes, i, 5) <= meanBefore(closes, i, 20) * (1 + ROUNDING);
  const last = closes.length - 1;
  return isAbove(last) && Array.from({ length: RECENT }, (_, i) => last - 1 - i).some(isBelow);
}

/** A fresh extreme of the closes beyond that of the 60 bars before the lookback, which the index does not confirm. */
function divergence(closes: readonly number[], index: readonly number[]): 'bearish' | 'bullish' | undefined {
  const start = closes.length - LOOKBACK;
  if (start < 60) return undefined;
  const extreme = (from: number, to: number, sign: number) => {
    const best = Math.max(...closes.slice(from, to).map((close) => sign * close));
    return from + closes.slice(from, to).findLastIndex((close) => sign * close === best);
  };
  for (const [sign, name] of [
    [1, 'bearish'],
    [-1, 'bullish'],
  ] as const) {
    const [earlier, fresh] = [extreme(start - 60, start, sign), extreme(start, closes.length, sign)];
    const isFurther = sign * closes[fresh]! > sign * closes[earlier]!;
    const isUnconfirmed = sign * index[fresh]! < sign * index[earlier]!;
    if (fresh >= closes.length - RECENT && isFurther && isUnconfirmed) return name;
  }
  return undefined;
}

function turningSignal(view: StockView): Figure {
  const score = turningScore(view);
  if (score === null) return null;
  if (score >= 4) return 'ACCUMULATION_REVERSAL';
  if (score >= 2) return 'EARLY_RECOVERY';
  if (score >= -1) return 'NEUTRAL';
  return score >= -3 ? 'WEAKENING' : 'DISTRIBUTION_RISK';
}

/** Fields of the group momentum. */
export const FIGURES_OF_MOMENTUM: Record<string, (view: StockView) => Figure> = {
  rsi_14: strength(14),
  rsi_5: strength(5),
  stoch_k: ({ bars }) => ofLast(16, bars, (last) => stochastic(last).at(-1)!.k),
  stoch_d: ({ bars }) => ofLast(18, bars, (last) => stochastic(last).at(-1)!.d),
  macd: ofConvergence(26, ({ line }) => line),
  macd_signal: ofConvergence(34, ({ signal }) => signal),
  macd_hist: ofConvergence(34, ({ line, signal }) => line - signal),
  macd_hist_pct: ofConvergence(34, ({ line, signal }, close) => (100 * (line - signal)) / close),
  confluence_signals: confluence,
  turning_score: turningScore,
  turning_signal: turningSignal,
};
