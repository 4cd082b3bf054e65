import type { ModelEvaluation, PickEvaluation, RecoveryEvaluation, RunFacts } from '../evaluation.ts';
import { interval, liesAbove, percent, plain } from './numbers.ts';

/** What the figures allow to be said of a model, and no more. */
export function verdict(model: ModelEvaluation): string {
  switch (model.kind) {
    case 'not_evaluated':
      return model.reason;
    case 'picks':
      return [pickVerdict(model), ...failures(model.runs)].join(' ');
    case 'recovery':
      return [recoveryVerdict(model), ...model.horizons.flatMap(({ runs }) => failures(runs))].join(' ');
  }
}

/** Said wherever an interval does not allow to claim more. */
export const NOT_SHOWN = 'Not shown to be better than names of the same days taken blindly';

function pickVerdict({ figures: { weeks, picks, lift } }: PickEvaluation): string {
  if (picks === 0) return `No picks in ${weeks} weeks, so nothing can be said.`;
  if (lift.value === null || lift.low === null || lift.high === null)
    return `${NOT_SHOWN}: ${picks} picks in ${weeks} weeks are too few for an interval of the lift.`;
  const statement = `the 95 % interval of its lift, ${interval(lift, plain)},`;
  if (liesAbove(lift, 1))
    return `Its picks reached the target ${plain(lift.value)} times as often as names of the same days taken blindly; ${statement} lies above 1.`;
  const worse = lift.high < 1 ? ' It lies below 1: they did worse.' : '';
  return `${NOT_SHOWN}: the lower end of ${statement} is not above 1.${worse}`;
}

function recoveryVerdict({ horizons }: RecoveryEvaluation): string {
  const sentences = horizons.map(({ horizon_days, figures: { skill } }) => {
    const statement = `${horizon_days} days: Brier skill ${percent(skill.value)}`;
    if (skill.low === null) return `${statement}, too few weeks for an interval`;
    const claim = liesAbove(skill, 0) ? 'above 0' : 'not shown to be above 0';
    return `${statement} (${interval(skill, percent)}), ${claim}`;
  });
  return `${sentences.join('; ')}.`;
}

function failures({ weeks, failed }: RunFacts): string[] {
  const [first] = failed;
  return first ? [`${failed.length} of ${weeks} runs failed, first on ${first.date}: ${first.message}`] : [];
}
