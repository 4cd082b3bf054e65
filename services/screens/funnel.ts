/**
 * A condition that a name must meet to pass a step of a funnel. One declaration says which names pass, how far one that
 * does not is from it, and what would let it pass.
 */
export interface Condition<Name, Params> {
  /** The parameter that decides. */
  param: keyof Params & string;
  holds: (name: Name, params: Params) => boolean;
  /** What of the name is compared; null where that is no number. */
  value: (name: Name, params: Params) => number | null;
  /** What it is compared with; null where that is no number. */
  threshold: (params: Params) => number | null;
  /** Parameters that let just this name pass, the others as they are. They may lie outside their bounds. */
  undo: (name: Name, params: Params) => Partial<Params>;
}

/** A step of a funnel. `name` is that of the count of names which pass it. */
export interface Step<Name, Params, StepName extends string = string> {
  name: StepName;
  conditions: readonly Condition<Name, Params>[];
}

/** What a name lacks to pass. */
export interface Shortfall {
  param: string;
  value: number | null;
  threshold: number | null;
  changes: Changes;
}

/** Parameters, by name. */
type Changes = Record<string, number | string | boolean>;

/** How far a name came. */
export interface NameTrace {
  ticker: string;
  /** The step that it did not pass, with what it lacks there; null of a pick. */
  fell: { step: string; shortfalls: Shortfall[] } | null;
  /** Its place, from 1, among the names that were ranked. */
  place: number | null;
}

/** The count of what all names are, and of the picks. */
export const SCANNED = 'total_scanned';
export const PICKED = 'final';

/** A value of at least what the parameter, a whole number, says. */
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

/** Something that a switch asks for. */
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

/** The names before the first step, and those that pass each. */
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

/** How many names came how far, by the names of the steps. */
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

/** What becomes of the names that pass every step. */
interface Ending<Name> {
  codeOf: (name: Name) => string;
  /** Those that are ranked, best first. */
  ranked: readonly Name[];
  picks: readonly Name[];
  /** What a name lacks that passes every step and is no pick; `place` from 1, null where it is not ranked. */
  cut: (name: Name, place: number | null) => Shortfall;
}

/** How far every name came. */
export function traces<Name, Params>(
  names: readonly Name[],
  steps: readonly Step<Name, Params>[],
  params: Params,
  { codeOf, ranked, picks, cut }: Ending<Name>,
): NameTrace[] {
  const placeOf = new Map(ranked.map((name, i) => [name, i + 1]));
  const picked = new Set(picks);
  return names.map((name) => {
    const [ticker, place] = [codeOf(name), placeOf.get(name) ?? null];
    for (const { name: step, conditions } of steps) {
      const shortfalls = conditions
        .filter(({ holds }) => !holds(name, params))
        .map((condition) => shortfallOf(condition, name, params));
      if (shortfalls.length > 0) return { ticker, fell: { step, shortfalls }, place };
    }
    if (picked.has(name)) return { ticker, fell: null, place };
    return { ticker, fell: { step: PICKED, shortfalls: [cut(name, place)] }, place };
  });
}

function shortfallOf<Name, Params>(
  { param, value, threshold, undo }: Condition<Name, Params>,
  name: Name,
  params: Params,
): Shortfall {
  const changes = undo(name, params) as Changes;
  return { param, value: value(name, params), threshold: threshold(params), changes };
}

/** What a name lacks that is ranked behind the last pick. */
export function behindLastPick(
  place: number,
  maxPicks: number,
  changes: Changes = { max_picks: place },
): Shortfall {
  return { param: 'max_picks', value: place, threshold: maxPicks, changes };
}
