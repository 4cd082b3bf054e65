import type { Requested } from './parameters.ts';

/**
 * A condition that a name must meet to pass a step of a funnel. One declaration says which names pass, how far a failing name
 * is from passing, and which change would let it pass.
 */
export interface Condition<Name, Params> {
  /** The parameter that the condition depends on. */
  param: keyof Params & string;
  holds: (name: Name, params: Params) => boolean;
  /** The value of the name that is compared; null if it is not a number. */
  value: (name: Name, params: Params) => number | null;
  /** What the value is compared with; null if it is not a number. */
  threshold: (params: Params) => number | null;
  /** The changes that let this name just pass, with other parameters unchanged. They may be outside the parameter's bounds. */
  undo: (name: Name, params: Params) => Partial<Params>;
}

/** A step of a funnel. Its `name` is also the key of the number of names that pass it. */
export interface Step<Name, Params, StepName extends string = string> {
  name: StepName;
  conditions: readonly Condition<Name, Params>[];
}

/**
 * The parameters by which picks of past days are chosen: among all stocks, because `tickers` are often today's members of an index,
 * of which nobody knew then that they would be.
 */
export function wholeMarket<P extends Requested>({ tickers: _, ...params }: P): Omit<P, 'tickers'> {
  return params;
}

/** How a name fails a condition. */
export interface Shortfall {
  param: string;
  value: number | null;
  threshold: number | null;
  changes: Changes;
}

/** Parameters, by name. */
type Changes = Record<string, number | string | boolean>;

/** How far a name got. */
export interface NameTrace {
  ticker: string;
  /** The step that it failed, with its shortfalls there; null for a pick. */
  fell: { step: string; shortfalls: Shortfall[] } | null;
  /** Its place, from 1, among the names that were ranked. */
  place: number | null;
}

/** Keys of the counts of all names and of the picks. */
export const SCANNED = 'total_scanned';
export const PICKED = 'final';
/** The parameter, and the step of an explanation, that leaves out stocks that the run was not asked for. */
export const REQUESTED = 'tickers';

/** The names that a run may pick. Each place in a ranking is still one among all names. */
export function requestedOf<Name>(
  names: readonly Name[],
  { tickers }: Requested,
  codeOf: (name: Name) => string,
): readonly Name[] {
  if (!tickers) return names;
  const requested = new Set(tickers);
  return names.filter((name) => requested.has(codeOf(name)));
}

/** Requires a value of at least the parameter. The parameter is a whole number. */
export function atLeast<Name, Params extends Record<Param, number>, Param extends keyof Params & string>(
  param: Param,
  value: (name: Name, params: Params) => number,
): Condition<Name, Params> {
  return {
    param,
    value,
    holds: (name, params) => value(name, params) >= params[param],
    threshold: (params) => params[param],
    undo: (name, params) => ({ [param]: Math.floor(value(name, params)) }) as Partial<Params>,
  };
}

/** Requires `isMet` while the parameter, a switch, is on. */
export function unlessSwitchedOff<
  Name,
  Params extends Record<Param, boolean>,
  Param extends keyof Params & string,
>(param: Param, isMet: (name: Name, params: Params) => boolean): Condition<Name, Params> {
  return {
    param,
    value: () => null,
    threshold: () => null,
    holds: (name, params) => !params[param] || isMet(name, params),
    undo: () => ({ [param]: false }) as Partial<Params>,
  };
}

/** The names before the first step, and after each step. */
export function sieve<Name, Params>(
  names: readonly Name[],
  steps: readonly Step<Name, Params>[],
  params: Params,
): Name[][] {
  const lists = [[...names]];
  for (const { conditions } of steps) {
    const passing = lists.at(-1)!.filter((name) => conditions.every(({ holds }) => holds(name, params)));
    lists.push(passing);
  }
  return lists;
}

/** The number of names after each step, by the step's name. */
export function countsOf<StepName extends string>(
  steps: readonly { name: StepName }[],
  lists: readonly (readonly unknown[])[],
  picks: readonly unknown[],
): Record<typeof SCANNED | StepName | typeof PICKED, number> {
  const counts: Record<string, number> = { [SCANNED]: lists[0]!.length };
  for (const [i, { name }] of steps.entries()) counts[name] = lists[i + 1]!.length;
  counts[PICKED] = picks.length;
  return counts;
}

/** What happens to the names that pass every step. */
interface Ending<Name> {
  codeOf: (name: Name) => string;
  /** The ranked names, best first. */
  ranked: readonly Name[];
  picks: readonly Name[];
  /**
   * Why a name that passes every step is not a pick. `place` counts from 1 among the ranked names that may be picked; null if
   * the name is not ranked.
   */
  cut: (name: Name, place: number | null) => Shortfall;
}

/** How far each name got. A name that may not be picked has its place nevertheless. */
export function traces<Name, Params extends Requested>(
  names: readonly Name[],
  steps: readonly Step<Name, Params>[],
  params: Params,
  { codeOf, ranked, picks, cut }: Ending<Name>,
): NameTrace[] {
  const placesIn = (list: readonly Name[]) => new Map(list.map((name, i) => [name, i + 1]));
  const [placeOf, requestedPlaceOf] = [placesIn(ranked), placesIn(requestedOf(ranked, params, codeOf))];
  const [requested, picked] = [new Set(requestedOf(names, params, codeOf)), new Set(picks)];
  return names.map((name) => {
    const [ticker, place] = [codeOf(name), placeOf.get(name) ?? null];
    if (!requested.has(name))
      return { ticker, fell: { step: REQUESTED, shortfalls: [NOT_REQUESTED] }, place };
    for (const { name: step, conditions } of steps) {
      const shortfalls = conditions
        .filter(({ holds }) => !holds(name, params))
        .map((condition) => shortfallOf(condition, name, params));
      if (shortfalls.length > 0) return { ticker, fell: { step, shortfalls }, place };
    }
    if (picked.has(name)) return { ticker, fell: null, place };
    return {
      ticker,
      fell: { step: PICKED, shortfalls: [cut(name, requestedPlaceOf.get(name) ?? null)] },
      place,
    };
  });
}

/** No change of one value lets such a name pass: the list would have to name it. */
const NOT_REQUESTED: Shortfall = { param: REQUESTED, value: null, threshold: null, changes: {} };

function shortfallOf<Name, Params>(
  { param, value, threshold, undo }: Condition<Name, Params>,
  name: Name,
  params: Params,
): Shortfall {
  const changes = undo(name, params) as Changes;
  return { param, value: value(name, params), threshold: threshold(params), changes };
}

/** The shortfall of a name ranked behind the last pick. */
export function behindLastPick(
  place: number,
  maxPicks: number,
  changes: Changes = { max_picks: place },
): Shortfall {
  return { param: 'max_picks', value: place, threshold: maxPicks, changes };
}
