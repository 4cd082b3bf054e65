import { plainNumber } from '#shared/indonesian.ts';

export interface Suggestion {
  label: string;
  current: string;
  suggested: string;
  why: string;
}

/** A filter of a screen that can be loosened. */
export interface Filter<P> {
  label: string;
  /** The changes that loosen it, mildest first, each one that the model's schema accepts. */
  looser: (params: P) => Partial<P>[];
  show: (params: P) => string;
  /** A sentence that says how this filter left nothing, where there is more to say than what loosening it does. */
  reason?: (params: P) => string | undefined;
  /** A sentence about a setting that deserves a second thought. */
  caution?: (suggested: P) => string | undefined;
}

export interface EmptyRun<P, Funnel> {
  /** What was looked for and how far it came, in one or two sentences. */
  message: string;
  funnel: Funnel;
  params: P;
  filters: readonly Filter<NoInfer<P>>[];
  /** Names that pass every filter with these parameters, on the same market; before `max_picks` cuts the list. */
  passing: (params: NoInfer<P>) => number;
}

export interface EmptyBlock<Funnel> {
  reason: 'no_results';
  message: string;
  funnel: Funnel;
  suggestions: Suggestion[];
}

/** What the caller is told when nothing passed, with suggestions that were tried on the same market. */
export function emptyBlock<P, Funnel>(run: EmptyRun<P, Funnel>): EmptyBlock<Funnel> {
  const alone = run.filters.flatMap((filter) => mildestThatHelps(run, filter));
  const suggestions = alone.length > 0 ? alone : allTogether(run);
  const message = `${run.message} ${advice(alone, suggestions)}`;
  return { reason: 'no_results', message, funnel: run.funnel, suggestions };
}

function advice(alone: Suggestion[], suggestions: Suggestion[]): string {
  if (alone.length > 0) return 'Coba longgarkan salah satu saringan di bawah ini.';
  if (suggestions.length > 0) return 'Coba longgarkan semua saringan di bawah ini sekaligus.';
  return 'Coba tanggal analisis yang lain.';
}

/** The smallest step of one filter, the others as they are, that lets any stock through. */
function mildestThatHelps<P>({ params, passing }: EmptyRun<P, unknown>, filter: Filter<P>): Suggestion[] {
  for (const change of filter.looser(params)) {
    const count = passing({ ...params, ...change });
    if (count > 0) return [suggestion(filter, params, change, `${plainNumber(count)} saham akan lolos.`)];
  }
  return [];
}

/** Every filter loosened by the same number of steps, the fewest that are enough, when no single one is. */
function allTogether<P>({ params, filters, passing }: EmptyRun<P, unknown>): Suggestion[] {
  const ladders = filters.map((filter) => ({ filter, changes: filter.looser(params) }));
  const longest = Math.max(0, ...ladders.map(({ changes }) => changes.length));
  for (let step = 0; step < longest; step++) {
    const steps = ladders.flatMap(({ filter, changes }) => {
      const change = changes[Math.min(step, changes.length - 1)];
      return change ? [{ filter, change }] : [];
    });
    const all = steps.reduce<Partial<P>>((sum, { change }) => ({ ...sum, ...change }), {});
    const count = passing({ ...params, ...all });
    const effect = `Bersama saran lainnya, ${plainNumber(count)} saham akan lolos.`;
    if (count > 0) return steps.map(({ filter, change }) => suggestion(filter, params, change, effect));
  }
  return [];
}

function suggestion<P>(filter: Filter<P>, params: P, change: Partial<P>, effect: string): Suggestion {
  const suggested = { ...params, ...change };
  const why = [filter.reason?.(params), effect, filter.caution?.(suggested)];
  return {
    label: filter.label,
    current: filter.show(params),
    suggested: filter.show(suggested),
    why: why.filter((sentence) => sentence !== undefined).join(' '),
  };
}
