import type { Requested } from '../inputs/parameters.ts';
import {
  behindLastPick,
  type Condition,
  type NameTrace,
  PICKED,
  REQUESTED,
  SCANNED,
  type Shortfall,
  type Step,
} from './funnel.ts';

/** A name of the day that a model analyses. */
interface Name {
  code: string;
}

/** A name that passes every step, with what its model ranks it by. */
interface RankedName<N> {
  stock: N;
}

/** The parameters of every model that picks. */
interface PickParams extends Requested {
  max_picks: number;
}

/** What a model says about its picks with some parameters, for one selection. All else of a selection is the same for every model. */
export interface Rules<N extends Name, P, R extends RankedName<N>, StepName extends string> {
  /** Widest first. */
  steps: readonly Step<N, P, StepName>[];
  /** Orders the names that pass every step, best first. `lists` are all names, and those that pass each step. */
  rank: (passing: readonly N[], lists: Lists<N>) => readonly R[];
  /** The largest number of picks; `max_picks` if absent. */
  mostPicks?: number;
  /** Why a name that passes every step is no pick, if it need not be that it is ranked behind the last one. */
  cut?: (lists: Lists<N>) => Cut<N>;
}

/** Names before the first step, and after each step. */
type Lists<N> = readonly (readonly N[])[];

/** `place` counts from 1 among the ranked names that may be picked; null if the name is not ranked. */
type Cut<N> = (stock: N, place: number | null) => Shortfall;

/**
 * What a model picks among the names of a day: they pass one step after another, are ranked, and the best that the run asked for
 * are its picks. Each place in the ranking is one among all names, requested or not.
 */
export class Selection<
  N extends Name,
  P extends PickParams,
  R extends RankedName<N>,
  StepName extends string,
> {
  readonly params: P;
  /** The names that may be picked, before the first step and after each step. */
  readonly lists: Lists<N>;
  /** The names that pass every step, best first. */
  readonly ranked: readonly R[];
  /** Those of `ranked` that may be picked. */
  readonly requested: readonly R[];
  /** The first of `requested`, as many as the run may pick. */
  readonly picks: readonly R[];
  readonly #names: readonly N[];
  readonly #rulesOf: (params: P) => Rules<N, P, R, StepName>;
  readonly #rules: Rules<N, P, R, StepName>;
  /** As `lists`, requested or not. */
  readonly #all: Lists<N>;

  constructor(names: readonly N[], params: P, rulesOf: (params: P) => Rules<N, P, R, StepName>) {
    [this.#names, this.params, this.#rulesOf] = [names, params, rulesOf];
    const rules = rulesOf(params);
    this.#rules = rules;
    this.#all = sieve(names, rules.steps, params);
    this.lists = this.#all.map((list) => requestedOf(list, params, ({ code }) => code));
    this.ranked = rules.rank(this.#all.at(-1)!, this.#all);
    this.requested = requestedOf(this.ranked, params, ({ stock }) => stock.code);
    this.picks = this.requested.slice(0, rules.mostPicks ?? params.max_picks);
  }

  get stocks(): readonly N[] {
    return this.picks.map(({ stock }) => stock);
  }

  get steps(): readonly { name: StepName }[] {
    return this.#rules.steps;
  }

  /** The same names with other parameters. */
  with(params: P): this {
    return new Selection(this.#names, params, this.#rulesOf) as this;
  }

  /** The number of requested names after each step, by the step's name. */
  get funnel(): Record<typeof SCANNED | StepName | typeof PICKED, number> {
    const counts: Record<string, number> = { [SCANNED]: this.lists[0]!.length };
    for (const [i, { name }] of this.steps.entries()) counts[name] = this.lists[i + 1]!.length;
    counts[PICKED] = this.picks.length;
    return counts;
  }

  /** How far each name of the day got. A name that may not be picked has its place nevertheless. */
  traces(): NameTrace[] {
    const [params, names] = [this.params, this.#names];
    const placesIn = (list: readonly R[]) => new Map(list.map(({ stock }, i) => [stock, i + 1]));
    const [placeOf, requestedPlaceOf] = [placesIn(this.ranked), placesIn(this.requested)];
    const [requested, picked] = [new Set(this.lists[0]), new Set(this.stocks)];
    const cut = this.#rules.cut?.(this.#all) ?? ((_, place) => behindLastPick(place!, params.max_picks));
    const fallOf = (stock: N): NameTrace['fell'] => {
      if (!requested.has(stock)) return { step: REQUESTED, shortfalls: [NOT_REQUESTED] };
      for (const { name: step, conditions } of this.#rules.steps) {
        const shortfalls = conditions
          .filter(({ holds }) => !holds(stock, params))
          .map((condition) => shortfallOf(condition, stock, params));
        if (shortfalls.length > 0) return { step, shortfalls };
      }
      if (picked.has(stock)) return null;
      return { step: PICKED, shortfalls: [cut(stock, requestedPlaceOf.get(stock) ?? null)] };
    };
    return names.map((stock) => ({
      ticker: stock.code,
      fell: fallOf(stock),
      place: placeOf.get(stock) ?? null,
    }));
  }
}

/**
 * The parameters by which picks of past days are chosen: among all stocks, because `tickers` are often today's members of an index,
 * of which nobody knew then that they would be.
 */
export function wholeMarket<P extends Requested>(params: P): P {
  const whole = { ...params };
  delete whole.tickers;
  return whole;
}

/** Those that the run asked for: all of them without `tickers`. */
export function requestedOf<T>(
  all: readonly T[],
  { tickers }: Requested,
  codeOf: (one: T) => string,
): readonly T[] {
  if (!tickers) return all;
  const requested = new Set(tickers);
  return all.filter((one) => requested.has(codeOf(one)));
}

function sieve<N, P>(names: readonly N[], steps: readonly Step<N, P>[], params: P): Lists<N> {
  const lists = [names];
  for (const { conditions } of steps)
    lists.push(lists.at(-1)!.filter((name) => conditions.every(({ holds }) => holds(name, params))));
  return lists;
}

/** No change of one value lets such a name pass: the list would have to name it. */
const NOT_REQUESTED: Shortfall = { param: REQUESTED, value: null, threshold: null, changes: {} };

function shortfallOf<N, P>(
  { param, value, threshold, undo }: Condition<N, P>,
  name: N,
  params: P,
): Shortfall {
  const changes = undo(name, params) as Shortfall['changes'];
  return { param, value: value(name, params), threshold: threshold(params), changes };
}
