import { oneDecimal, plainNumber, rupiah } from '#shared/indonesian.ts';
import type { Filter } from './empty-block.ts';

/** Filters that several screens have, with the steps by which they are loosened. */

const VALUE_STEPS_IDR = [50e9, 25e9, 10e9, 5e9, 2.5e9, 1e9, 500e6, 250e6, 100e6];
const PRICE_STEPS_IDR = [5000, 2000, 1000, 500, 200, 100, 50];
/** The lowest `min_probability` that any schema allows. */
const LOWEST_PROBABILITY_PCT = 30;
/** Of a name as likely as the average one. */
const AVERAGE_PROBABILITY_PCT = 50;

export const below = (current: number, steps: readonly number[]): number[] =>
  steps.filter((step) => step < current);
export const above = (current: number, steps: readonly number[]): number[] =>
  steps.filter((step) => step > current);

export const valueFilter: Filter<{ min_daily_val: number }> = {
  label: 'Nilai transaksi harian minimum',
  looser: (params) =>
    below(params.min_daily_val, VALUE_STEPS_IDR).map((min_daily_val) => ({ min_daily_val })),
  show: ({ min_daily_val }) => rupiah(min_daily_val),
};

/** `lowestIdr` is the lowest price that the model's schema allows. */
export function priceFilter(lowestIdr: number): Filter<{ min_price: number }> {
  return {
    label: 'Harga minimum',
    looser: (params) =>
      below(params.min_price, PRICE_STEPS_IDR)
        .filter((step) => step >= lowestIdr)
        .map((min_price) => ({ min_price })),
    show: ({ min_price }) => rupiah(min_price),
  };
}

export const signalsFilter: Filter<{ min_signals: number }> = {
  label: 'Sinyal minimum',
  looser: (params) => below(params.min_signals, [3, 2, 1]).map((min_signals) => ({ min_signals })),
  show: ({ min_signals }) => plainNumber(min_signals),
};

export interface ProbabilitiesOfTheDay {
  /** The highest in percent among the names above the run's floors of price and value; undefined when there is none. */
  highestPct: number | undefined;
  /** What a run compares them with, where that is not its `min_probability` itself. */
  thresholdPct?: (params: LeastProbable) => number;
}

interface LeastProbable {
  min_probability: number;
}

/** Loosened percent by percent. */
export function probabilityFilter({
  highestPct,
  thresholdPct = ({ min_probability }) => min_probability,
}: ProbabilitiesOfTheDay): Filter<LeastProbable> {
  return {
    label: 'Probabilitas minimum',
    looser: (params) =>
      wholePercentsBelow(params.min_probability).map((min_probability) => ({ min_probability })),
    show: ({ min_probability }) => plainNumber(min_probability),
    reason: (params) =>
      highestPct !== undefined && highestPct < thresholdPct(params)
        ? `Nilai tertinggi hari ini ${oneDecimal(highestPct)} sehingga ambang ${plainNumber(thresholdPct(params))} menyaring semua saham.`
        : undefined,
    caution: (suggested) =>
      thresholdPct(suggested) < AVERAGE_PROBABILITY_PCT
        ? `Di bawah ${AVERAGE_PROBABILITY_PCT} berarti kurang mungkin daripada rata-rata pasar.`
        : undefined,
  };
}

/** Down to the lowest allowed. */
function wholePercentsBelow(percent: number): number[] {
  const first = Math.ceil(percent) - 1;
  return Array.from({ length: Math.max(0, first + 1 - LOWEST_PROBABILITY_PCT) }, (_, i) => first - i);
}
