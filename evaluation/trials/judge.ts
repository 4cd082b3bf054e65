import { logistic } from '#quant/learning/calibration/calibration.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';
import { BOOTSTRAP, blockResamples, blockWeeks } from '#quant/statistics/block-bootstrap.ts';
import { pickFigures, type PickFigures, type PickWeek, universeOf } from '#quant/statistics/pick-figures.ts';
import type { PickModel } from '../models-under-evaluation.ts';
import { type ChanceFigures, chanceFigures } from '../statistics/chance-figures.ts';
import type { TrialDay } from './trial-day.ts';
import type { Trial } from './trials.ts';

export interface Judged {
  /** By half year, such as 2022 H1. */
  chances: Map<string, ChanceFigures>;
  picks: PickFigures;
}

/** The half year of YYYY-MM-DD. */
export function halfYearOf(date: string): string {
  return `${date.slice(0, 4)} H${date.slice(5, 7) < '07' ? 1 : 2}`;
}

/** Picks are the ten likeliest stocks above the floors and the minimum probability, of any model. */
export function judged(trial: Trial, { params, barriers }: PickModel, days: readonly TrialDay[]): Judged {
  const meanOfSpan = meanRate(days);
  const minProbability = Number(params['min_probability']);
  const weeks = days.map((day) => {
    const { logOddsOf, baseRate } = trial.of(day, meanOfSpan);
    const probabilityOf = superiorityOver(baseRate);
    const names = day.stocks.map((stock) => ({ ...stock, chance: logistic(logOddsOf(stock.logOdds)) }));
    const picks = names
      .filter((name) => name.isAboveFloors && probabilityOf(name.chance) >= minProbability)
      .toSorted((a, b) => b.chance - a.chance)
      .slice(0, MAX_PICKS);
    return { date: day.date, names, picks };
  });
  const forecasts = Map.groupBy(weeks, ({ date }) => halfYearOf(date));
  const resamples = blockResamples(weeks.length, {
    ...BOOTSTRAP,
    blockLength: blockWeeks(barriers.horizonDays),
  });
  return {
    chances: new Map(
      [...forecasts].map(([halfYear, within]) => [
        halfYear,
        chanceFigures(
          within.map(({ names }) =>
            names.flatMap(({ chance, outcome }) => (outcome.filled ? [{ chance, won: outcome.won }] : [])),
          ),
        ),
      ]),
    ),
    picks: pickFigures(weeks.map(pickWeek), resamples),
  };
}

const MAX_PICKS = 10;

type Named = TrialDay['stocks'][number];

function pickWeek({ names, picks }: { names: readonly Named[]; picks: readonly Named[] }): PickWeek {
  const bought = picks.filter(({ outcome }) => outcome.filled);
  const universe = names.filter((name) => name.isAboveFloors && name.outcome.filled);
  return {
    picks: bought.map(({ outcome }) => outcome),
    unfilled: picks.length - bought.length,
    universe: universeOf(universe.map(({ outcome }) => outcome)),
  };
}

function meanRate(days: readonly TrialDay[]): number {
  const within = days.filter(({ date }) => date >= '2022-01-01' && date <= '2023-12-31');
  const bought = within.flatMap(({ stocks }) =>
    stocks.filter((stock) => stock.isLiquid && stock.outcome.filled),
  );
  return bought.filter(({ outcome }) => outcome.won).length / bought.length;
}
