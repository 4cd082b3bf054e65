/** One bar of a price series. */
export interface Bar {
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Reads one value at a time and returns the textbook value up to it; NaN while there are too few values. */
export type Stream<Value = number> = (value: Value) => number;

/** Applies a formula to the last `period` values. */
export function windowed(period: number, formula: (values: number[]) => number): Stream {
  const last: number[] = [];
  return (value) => {
    if (Number.isNaN(value)) return NaN;
    last.push(value);
    if (last.length > period) last.shift();
    return last.length < period ? NaN : formula(last);
  };
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;
/** Simple moving average. */
export const mean = (period: number) => windowed(period, meanOf);

/** Standard deviation by its definition, in two passes. */
export function deviation(period: number, divisor: number): Stream {
  return windowed(period, (values) => {
    const center = meanOf(values);
    return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / divisor);
  });
}

/** The mean of the first `period` values; each later value is added with weight `weight`. */
function averaged(period: number, weight: number): Stream {
  const first: number[] = [];
  let average = NaN;
  return (value) => {
    if (Number.isNaN(value)) return NaN;
    if (first.length < period) first.push(value);
    else average = value * weight + average * (1 - weight);
    if (first.length === period && Number.isNaN(average)) average = meanOf(first);
    return average;
  };
}

/** Weight 2 / (period + 1) for each new value. */
export const exponential = (period: number) => averaged(period, 2 / (period + 1));
/** Wilder (1978): weight 1 / period for each new value. */
export const wilders = (period: number) => averaged(period, 1 / period);

/** A formula of a value and the value `bars` before it. */
export function comparedTo(bars: number, formula: (now: number, before: number) => number): Stream {
  const seen: number[] = [];
  return (value) => {
    seen.push(value);
    const before = seen.at(-1 - bars);
    return before === undefined ? NaN : formula(value, before);
  };
}

/** Wilder (1978): 100 - 100 / (1 + RS), RS = average gain / average loss. */
export function relativeStrength(period: number): Stream {
  const [gains, losses] = [wilders(period), wilders(period)];
  const change = comparedTo(1, (now, before) => now - before);
  return (close) => {
    const move = change(close);
    const [gain, loss] = [gains(Math.max(move, 0)), losses(Math.max(-move, 0))];
    if (gain === 0 && loss === 0) return 50;
    return loss === 0 ? 100 : 100 - 100 / (1 + gain / loss);
  };
}

/** Wilder (1978): the range of a bar, including the gap from the previous close. */
export function trueRangeAverage(period: number): Stream<Bar> {
  const average = wilders(period);
  let closeBefore = NaN;
  return ({ high, low, close }) => {
    const gaps = Number.isNaN(closeBefore) ? [] : [Math.abs(high - closeBefore), Math.abs(low - closeBefore)];
    closeBefore = close;
    return average(Math.max(high - low, ...gaps));
  };
}

/** Lane: slow %K (14, 3) and %D (3). */
export function stochasticLines(): [Stream<Bar>, Stream<Bar>] {
  const percentK = (): Stream<Bar> => {
    const [highest, lowest] = [
      windowed(14, (all) => Math.max(...all)),
      windowed(14, (all) => Math.min(...all)),
    ];
    const slow = mean(3);
    return ({ high, low, close }) => {
      const [top, bottom] = [highest(high), lowest(low)];
      return slow(top === bottom ? 50 : (100 * (close - bottom)) / (top - bottom));
    };
  };
  const [k, kOfD, d] = [percentK(), percentK(), mean(3)];
  return [k, (bar) => d(kOfD(bar))];
}

/** Appel: MACD (12, 26), its signal line (9), and their difference. */
export function macdLines(): [Stream, Stream, Stream] {
  const line = (): Stream => {
    const [fast, slow] = [exponential(12), exponential(26)];
    return (close) => fast(close) - slow(close);
  };
  const signalLine = (): Stream => {
    const [own, signal] = [line(), exponential(9)];
    return (close) => signal(own(close));
  };
  const [own, signal] = [line(), signalLine()];
  return [line(), signalLine(), (close) => own(close) - signal(close)];
}

export const ofClose =
  (stream: Stream): Stream<Bar> =>
  (bar) =>
    stream(bar.close);

/** Bollinger: two population deviations from the mean of 20. */
export function band(sign: 1 | -1): Stream {
  const [middle, reach] = [mean(20), deviation(20, 20)];
  return (close) => middle(close) + sign * 2 * reach(close);
}

/** Historical volatility: sample deviation of 20 log returns, annualised to 252 days. */
export function annualised(): Stream {
  const [step, spread] = [comparedTo(1, (now, before) => Math.log(now / before)), deviation(20, 19)];
  return (close) => spread(step(close)) * Math.sqrt(252);
}

/** Volume / its own mean. */
export function timesItsMean(period: number): Stream<Bar> {
  const average = mean(period);
  return ({ volume }) => volume / average(volume);
}
