import type { Evaluation, HorizonEvaluation, Part, RecoveryEvaluation } from '../evaluation.ts';
import type { SkillFigures } from '../statistics/skill-figures.ts';
import { reliability } from './calibration-section.ts';
import { intervalChart } from './charts.ts';
import { labelsOf, count, percent, plain, withInterval } from './numbers.ts';
import { element, type Column, type Markup, tableOf } from './markup.ts';

const skillPercent = (value: number | null) => percent(value, 2);
const days = ({ horizon_days }: HorizonEvaluation) => `${horizon_days} days`;

/** How good the recovery model's chances of five classes were, by horizon. */
export function recoverySection(evaluation: Evaluation): Markup[] {
  const models = evaluation.models.filter((model) => model.kind === 'recovery');
  return models.map((model) =>
    element(
      'section',
      {},
      element('h2', {}, model.name),
      labelsOf(evaluation),
      element(
        'p',
        { class: 'quiet' },
        'Run for every liquid name, as if all were held. Brier skill is what its chances take off the Brier score of the climatology: how often each class had come of such names in the 750 trading days whose outcome was known by then. Against hindsight, the reference is how often each class came in these very weeks.',
      ),
      element(
        'div',
        { class: 'pair' },
        intervalChart({
          name: 'Brier skill by horizon with its 95 % interval',
          rows: model.horizons.map((one) => ({ name: days(one), estimate: one.figures.skill })),
          bound: 0,
          boundName: 'no skill',
          written: (value) => percent(value, 0),
        }),
        skillTable(
          'By horizon',
          'Horizon',
          model.horizons.map((one) => ({ name: days(one), figures: one.figures })),
        ),
      ),
      classTable(model),
      model.horizons.map((one) => horizonParts(one)),
    ),
  );
}

function skillTable(caption: string, of: string, parts: readonly Part<SkillFigures>[]): Markup {
  return tableOf({
    caption,
    columns: [
      [of, ({ name }) => name],
      ['Weeks', ({ figures }) => count(figures.weeks)],
      ['Forecasts', ({ figures }) => count(figures.forecasts)],
      ['Brier skill (95 %)', ({ figures }) => withInterval(figures.skill, skillPercent)],
      ['Against hindsight', ({ figures }) => skillPercent(figures.skill_against_hindsight)],
      ['Brier', ({ figures }) => plain(figures.brier, 4)],
      ['of climatology', ({ figures }) => plain(figures.climatology_brier, 4)],
      ['Log-loss', ({ figures }) => plain(figures.log_loss, 4)],
      ['of climatology', ({ figures }) => plain(figures.climatology_log_loss, 4)],
    ],
    rows: parts,
  });
}

function classTable({ classes, horizons }: RecoveryEvaluation): Markup {
  return tableOf({
    caption: 'How often each class came',
    columns: [
      ['Horizon', days],
      ...classes.map((name, at): Column<HorizonEvaluation> => [
        name,
        ({ figures }) => percent(figures.came[at]!),
      ]),
    ],
    rows: horizons,
  });
}

function horizonParts(horizon: HorizonEvaluation): Markup {
  const { up, by_year, by_regime } = horizon;
  const title = `${days(horizon)}: chance to climb and share that did`;
  const error = `Calibration error ${percent(up.calibration_error, 2)}, AUC ${plain(up.auc, 3)}, within a day ${plain(up.auc_within_week, 3)}.`;
  return element(
    'div',
    {},
    element('h3', {}, `${days(horizon)} ahead`),
    skillTable(`${days(horizon)}, by year`, 'Year', by_year),
    skillTable(`${days(horizon)}, by regime`, 'Regime', by_regime),
    element('p', { class: 'quiet' }, error),
    reliability(title, up),
  );
}
