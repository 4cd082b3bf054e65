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

/** The shortfall of a name ranked behind the last pick. */
export function behindLastPick(
  place: number,
  maxPicks: number,
  changes: Changes = { max_picks: place },
): Shortfall {
  return { param: 'max_picks', value: place, threshold: maxPicks, changes };
}
