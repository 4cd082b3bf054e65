import { MIN_PROBABILITY } from '../inputs/parameters.ts';
import { joined, Localised, localised } from '#foundation/text/localised.ts';
import type { Formats } from '#foundation/text/languages.ts';

export interface Suggestion {
  /** The parameter to change, and what to set it to. */
  param: string;
  value: unknown;
  label: Localised;
  current: Localised;
  suggested: Localised;
  why: Localised;
}

/** A filter of a screen that can be loosened. */
export interface Filter<P> {
  label: Localised;
  /** The changes that loosen it, mildest first, each of one parameter and accepted by the model's schema. */
  looser: (params: P) => Partial<P>[];
  show: (params: P) => Localised;
  /** A sentence on how this filter left no names, if there is more to say than the effect of loosening it. */
  reason?: (params: P) => Localised | undefined;
  /** A warning about a suggested setting. */
  caution?: (suggested: P) => Localised | undefined;
}

interface EmptyRun<P, Funnel> {
  /** What the run looked for and how far the stocks got, in one or two sentences. */
  message: Localised;
  funnel: Funnel;
  params: P;
  filters: readonly Filter<NoInfer<P>>[];
  /** The number of names that pass every filter with these parameters on the same market, before `max_picks` cuts the list. */
  passing: (params: NoInfer<P>) => number;
}

interface EmptyBlock<Funnel> {
  reason: 'no_results';
  message: Localised;
  funnel: Funnel;
  suggestions: Suggestion[];
  /** Changes by parameter name, to be laid over the run's parameters: the fewest that give picks. Empty if nothing helps. */
  changes: Record<string, unknown>;
}

/** What a model says of a selection without picks. */
export interface WhyNone<P, S> {
  /** How far the liquid stocks got, in each language: the end of a sentence. */
  id: (formats: Formats) => string;
  en: (formats: Formats) => string;
  filters: readonly Filter<P>[];
  /** The counts of the funnel, if they are more than those of the selection. */
  funnel?: object;
  /** The number of names that pass; those that are ranked and may be picked if absent. */
  passing?: (selection: S, params: P) => number;
}

/** A selection without picks, on which other parameters can be tried. */
interface Tried<P> {
  params: P;
  lists: readonly (readonly unknown[])[];
  requested: readonly unknown[];
  funnel: object;
  with(params: P): this;
}

/** The block of a selection of this day without picks. */
export function emptySelection<P extends { min_daily_val: number; min_price: number }, S extends Tried<P>>(
  selection: S,
  isoDate: string,
  { id, en, filters, funnel, passing = ({ requested }) => requested.length }: WhyNone<P, S>,
) {
  const liquid = selection.lists[1]!.length;
  return emptyBlock({
    message: localised(
      (formats) =>
        `Tidak ada saham yang memenuhi semua kriteria pada ${formats.date(isoDate)}. ` +
        `Dari ${formats.plain(liquid)} saham likuid, ${id(formats)}.`,
      (formats) =>
        `No stock meets every criterion on ${formats.date(isoDate)}. ` +
        `Of ${formats.plain(liquid)} liquid stocks, ${en(formats)}.`,
    ),
    funnel: funnel ?? selection.funnel,
    params: selection.params,
    filters,
    passing: (tried) => passing(selection.with(tried), tried),
  });
}

/** The block of a result without picks. Its suggestions were tried on the same market. */
export function emptyBlock<P, Funnel>(run: EmptyRun<P, Funnel>): EmptyBlock<Funnel> {
  const alone = run.filters.flatMap((filter) => mildestThatHelps(run, filter));
  const suggestions = alone.length > 0 ? alone : fewestTogether(run);
  const message = joined([run.message, advice(alone, suggestions)]);
  const needed = alone.length > 0 ? alone.slice(0, 1) : suggestions;
  const changes = Object.fromEntries(needed.map(({ param, value }) => [param, value]));
  return { reason: 'no_results', message, funnel: run.funnel, suggestions, changes };
}

const LOOSEN_ONE = new Localised(
  'Coba longgarkan salah satu saringan di bawah ini.',
  'Try loosening one of the filters below.',
);
const LOOSEN_ALL = new Localised(
  'Coba longgarkan semua saringan di bawah ini sekaligus.',
  'Try loosening all of the filters below at once.',
);
const OTHER_DAY = new Localised('Coba tanggal analisis yang lain.', 'Try another day of analysis.');

function advice(alone: Suggestion[], suggestions: Suggestion[]): Localised {
  if (alone.length > 0) return LOOSEN_ONE;
  return suggestions.length > 0 ? LOOSEN_ALL : OTHER_DAY;
}

/** The smallest step of one filter that lets any stock through while the others stay as they are. */
function mildestThatHelps<P>({ params, passing }: EmptyRun<P, unknown>, filter: Filter<P>): Suggestion[] {
  for (const change of filter.looser(params)) {
    const count = passing({ ...params, ...change });
    if (count > 0) return [suggestion(filter, params, change, wouldPass(count))];
  }
  return [];
}

function wouldPass(count: number): Localised {
  return localised(
    ({ plain }) => `${plain(count)} saham akan lolos.`,
    ({ plain }) => `${plain(count)} ${count === 1 ? 'stock' : 'stocks'} would pass.`,
  );
}

function wouldPassTogether(count: number): Localised {
  return localised(
    ({ plain }) => `Bersama saran lainnya, ${plain(count)} saham akan lolos.`,
    ({ plain }) =>
      `With the other suggestions, ${plain(count)} ${count === 1 ? 'stock' : 'stocks'} would pass.`,
  );
}

/** A filter with its changes, mildest first. */
interface Ladder<P> {
  filter: Filter<P>;
  changes: Partial<P>[];
}

/** The fewest filters that are enough together, when no single one is, each loosened as little as the others allow. */
function fewestTogether<P>({ params, filters, passing }: EmptyRun<P, unknown>): Suggestion[] {
  const ladders = filters
    .map((filter) => ({ filter, changes: filter.looser(params) }))
    .filter(({ changes }) => changes.length > 0);
  const passingAt = (steps: readonly Step<P>[]) =>
    passing(steps.reduce((tried, { ladder, at }) => ({ ...tried, ...ladder.changes[at] }), params));
  for (let size = 2; size <= ladders.length; size++) {
    for (const chosen of subsets(ladders, size)) {
      const steps = mildestOf(chosen, passingAt);
      if (!steps) continue;
      const effect = wouldPassTogether(passingAt(steps));
      return steps.map(({ ladder, at }) => suggestion(ladder.filter, params, ladder.changes[at]!, effect));
    }
  }
  return [];
}

interface Step<P> {
  ladder: Ladder<P>;
  /** Index in the ladder's changes. */
  at: number;
}

/** Loosens all filters by the same step until names pass, then takes each back as far as names still pass. */
function mildestOf<P>(
  ladders: readonly Ladder<P>[],
  passingAt: (steps: readonly Step<P>[]) => number,
): Step<P>[] | undefined {
  const stepsAt = (step: number) =>
    ladders.map((ladder) => ({ ladder, at: Math.min(step, ladder.changes.length - 1) }));
  const longest = Math.max(...ladders.map(({ changes }) => changes.length));
  if (passingAt(stepsAt(longest)) === 0) return undefined;
  let step = 0;
  while (passingAt(stepsAt(step)) === 0) step++;
  const steps = stepsAt(step);
  for (const taken of steps) {
    while (taken.at > 0) {
      taken.at--;
      if (passingAt(steps) > 0) continue;
      taken.at++;
      break;
    }
  }
  return steps;
}

/** Every subset of this size; those with the first items come first. */
function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, i) => subsets(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

function suggestion<P>(filter: Filter<P>, params: P, change: Partial<P>, effect: Localised): Suggestion {
  const suggested = { ...params, ...change };
  const [[param, value]] = Object.entries(change) as [[string, unknown]];
  const why = [filter.reason?.(params), effect, filter.caution?.(suggested)];
  return {
    param,
    value,
    label: filter.label,
    current: filter.show(params),
    suggested: filter.show(suggested),
    why: joined(why),
  };
}

/** A value that each language formats differently. */
export function shown(write: (formats: Formats) => string): Localised {
  return localised(write, write);
}

/** Whether a filter is on. */
export function switched(isOn: boolean): Localised {
  return isOn ? new Localised('aktif', 'on') : new Localised('nonaktif', 'off');
}

/** `5 hari`. */
export function days(count: number): Localised {
  return new Localised(`${count} hari`, `${count} ${count === 1 ? 'day' : 'days'}`);
}

/** Filters that several screens have, with the steps by which they are loosened. */

const VALUE_STEPS_IDR = [50e9, 25e9, 10e9, 5e9, 2.5e9, 1e9, 500e6, 250e6, 100e6];
const PRICE_STEPS_IDR = [5000, 2000, 1000, 500, 200, 100, 50];
/** The probability of a name that is as likely to win as the average one. */
const AVERAGE_PROBABILITY_PCT = 50;

export const below = (current: number, steps: readonly number[]): number[] =>
  steps.filter((step) => step < current);
export const above = (current: number, steps: readonly number[]): number[] =>
  steps.filter((step) => step > current);

export const valueFilter: Filter<{ min_daily_val: number }> = {
  label: new Localised('Nilai transaksi harian minimum', 'Lowest daily traded value'),
  looser: (params) =>
    below(params.min_daily_val, VALUE_STEPS_IDR).map((min_daily_val) => ({ min_daily_val })),
  show: ({ min_daily_val }) => shown(({ exactRupiah }) => exactRupiah(min_daily_val)),
};

/** Loosens down to the lowest price that the parameter's declaration allows. */
export function priceFilter({ minimum }: { minimum: number }): Filter<{ min_price: number }> {
  return {
    label: new Localised('Harga minimum', 'Lowest price'),
    looser: (params) =>
      below(params.min_price, PRICE_STEPS_IDR)
        .filter((step) => step >= minimum)
        .map((min_price) => ({ min_price })),
    show: ({ min_price }) => shown(({ exactRupiah }) => exactRupiah(min_price)),
  };
}

/** The filters of the first step of every screen; of the declaration of its lowest price. */
export const liquidityFilters = (minPrice: { minimum: number }) =>
  [valueFilter, priceFilter(minPrice)] as const;

export const signalsFilter: Filter<{ min_signals: number }> = {
  label: new Localised('Sinyal minimum', 'Minimum signals'),
  looser: (params) => below(params.min_signals, [3, 2, 1]).map((min_signals) => ({ min_signals })),
  show: ({ min_signals }) => shown(({ plain }) => plain(min_signals)),
};

interface ProbabilitiesOfTheDay {
  /** The highest in percent among the names above the run's floors of price and value; undefined when there is none. */
  highestPct: number | undefined;
  /** The threshold that a run compares them with, if it is not `min_probability` itself. */
  thresholdPct?: (params: LeastProbable) => number;
}

interface LeastProbable {
  min_probability: number;
}

/** Loosens the floor in steps of one percent. */
export function probabilityFilter({
  highestPct,
  thresholdPct = ({ min_probability }) => min_probability,
}: ProbabilitiesOfTheDay): Filter<LeastProbable> {
  return {
    label: new Localised('Probabilitas minimum', 'Lowest probability'),
    looser: (params) =>
      wholePercentsBelow(params.min_probability).map((min_probability) => ({ min_probability })),
    show: ({ min_probability }) => shown(({ exact }) => exact(min_probability)),
    reason: (params) =>
      highestPct !== undefined && highestPct < thresholdPct(params)
        ? tooHigh(highestPct, params, thresholdPct(params))
        : undefined,
    caution: (suggested) => (thresholdPct(suggested) < AVERAGE_PROBABILITY_PCT ? BELOW_AVERAGE : undefined),
  };
}

const BELOW_AVERAGE = new Localised(
  `Di bawah ${AVERAGE_PROBABILITY_PCT} berarti kurang mungkin daripada rata-rata pasar.`,
  `Below ${AVERAGE_PROBABILITY_PCT} is less likely than the average of the market.`,
);

/** Also says where the threshold comes from if it is higher than the parameter. */
function tooHigh(highestPct: number, { min_probability }: LeastProbable, thresholdPct: number): Localised {
  const raisedPct = thresholdPct - min_probability;
  const because = ({ exact }: Formats, plus: string, why: string) =>
    raisedPct === 0 ? '' : ` (${exact(min_probability)} ${plus} ${exact(raisedPct)} ${why})`;
  return localised(
    (id) =>
      `Nilai tertinggi hari ini ${id.oneDecimal(highestPct)} sehingga ambang ` +
      `${id.exact(thresholdPct)}${because(id, 'ditambah', 'poin karena kondisi pasar')} menyaring semua saham.`,
    (en) =>
      `The highest today is ${en.oneDecimal(highestPct)}, so that the threshold of ` +
      `${en.exact(thresholdPct)}${because(en, 'plus', 'points for the condition of the market')} leaves out every stock.`,
  );
}

/** Down to the lowest allowed percent. */
function wholePercentsBelow(percent: number): number[] {
  const first = Math.ceil(percent) - 1;
  return Array.from({ length: Math.max(0, first + 1 - MIN_PROBABILITY.minimum) }, (_, i) => first - i);
}
