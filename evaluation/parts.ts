import { lowerLimitPct } from '#quant/exchange/exchange.ts';
import type { Regime } from '#quant/regime/regime.ts';
import type { Part } from './evaluation.ts';

/** The day that a run analysed, and the market's regime on it. */
export interface Moment {
  /** YYYY-MM-DD. */
  date: string;
  regime: Regime;
}

type FiguresOf<Week, Figures> = (belongs: (week: Week) => boolean) => Figures;

export function byYear<Week extends Moment, Figures>(
  weeks: readonly Week[],
  figuresOf: FiguresOf<Week, Figures>,
): Part<Figures>[] {
  return parts(weeks, ({ date }) => date.slice(0, 4), figuresOf).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

const REGIMES: readonly Regime[] = ['BULL', 'SIDEWAYS', 'BEAR'];

/** By the regime of the analysed day, as it was known then. */
export function byRegime<Week extends Moment, Figures>(
  weeks: readonly Week[],
  figuresOf: FiguresOf<Week, Figures>,
): Part<Figures>[] {
  const found = parts(weeks, ({ regime }) => regime, figuresOf);
  return REGIMES.flatMap((regime) => found.filter(({ name }) => name === regime));
}

/** By the lower limit on the analysed day: a narrow limit leaves days without bids, on which nobody can sell. */
export function byLowerLimit<Week extends Moment, Figures>(
  weeks: readonly Week[],
  figuresOf: FiguresOf<Week, Figures>,
): Part<Figures>[] {
  const nameOf = ({ date }: Week) => {
    const pct = lowerLimitPct(date);
    return pct === null ? 'symmetric' : `${pct} %`;
  };
  return parts(weeks, nameOf, figuresOf);
}

function parts<Week extends Moment, Figures>(
  weeks: readonly Week[],
  nameOf: (week: Week) => string,
  figuresOf: FiguresOf<Week, Figures>,
): Part<Figures>[] {
  const names = [...new Set(weeks.map(nameOf))];
  return names.map((name) => ({ name, figures: figuresOf((week) => nameOf(week) === name) }));
}
