import type {
  Evaluation,
  ModelEvaluation,
  PickEvaluation,
  RecoveryEvaluation,
  RunFacts,
} from '../evaluation.ts';
import { calibrationSection } from './calibration-section.ts';
import { labelsOf, count, plain, interval, liesAbove, percent } from './numbers.ts';
import { element, type Markup, tableOf } from './markup.ts';
import { partSections } from './part-sections.ts';
import { picksSection, pickModels } from './picks-section.ts';
import { recoverySection } from './recovery-section.ts';

/** The evaluation as a single self-contained HTML file. Every figure is also in `evaluation.json`. */
export function evaluationPage(evaluation: Evaluation): string {
  const title = 'Saring: how the models’ picks turned out';
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, title),
    // Browsers read a style verbatim, so it must not be escaped.
    { markup: `<style>${STYLE}</style>` },
  );
  const body = element(
    'body',
    {},
    element('h1', {}, title),
    labelsOf(evaluation),
    introduction(evaluation),
    verdictsOf(evaluation),
    picksSection(evaluation),
    ...partSections(evaluation),
    calibrationSection(evaluation),
    recoverySection(evaluation),
    methodSection(evaluation),
  );
  return `<!doctype html>\n${element('html', { lang: 'en' }, head, body).markup}\n`;
}

function introduction({ dataset, span, machine }: Evaluation): Markup {
  const { version, tickers, first_date, last_date } = dataset;
  return element(
    'p',
    {},
    `Every model was run as of the last trading day of each of ${span.weeks} weeks, ${span.from} to ${span.to}, on what was known then, and judged by what happened. `,
    `Dataset ${version}: ${count(tickers)} stocks, ${first_date} to ${last_date}. `,
    element('span', { class: 'quiet' }, machine),
  );
}

function verdictsOf({ models }: Evaluation): Markup {
  const items = models.map((model) =>
    element('li', {}, element('strong', {}, model.name), ': ', verdict(model)),
  );
  return element('section', {}, element('h2', {}, 'In short'), element('ul', {}, items));
}

/** What was measured, on which data, and how to repeat it. */
function methodSection(evaluation: Evaluation): Markup {
  const { bootstrap, command, dataset, duration_seconds, evaluated_at, machine } = evaluation;
  return element(
    'section',
    {},
    element('h2', {}, 'What was measured, and how'),
    METHOD.map((sentence) => element('p', {}, sentence)),
    element(
      'p',
      {},
      `Intervals: ${bootstrap.level_pct} %, percentiles of ${count(bootstrap.resamples)} resamples of weeks in blocks, since neighbouring weeks share most of their outcome; seed ${bootstrap.seed}. Over a year or two such intervals are rather too narrow than too wide. With ${evaluation.models.length} models, parts and horizons beside each other, one or another lies above by chance.`,
    ),
    judgedTable(evaluation),
    element('h3', {}, 'To repeat it'),
    element('p', {}, element('code', {}, command)),
    facts({
      Dataset: `${dataset.version} (${dataset.kind}, ${dataset.source})`,
      'Broker rows': dataset.broker_data,
      Bars: `${count(dataset.bars)} of ${count(dataset.trading_days)} trading days`,
      Machine: machine,
      Duration: `${plain(duration_seconds, 0)} s, begun ${evaluated_at}`,
    }),
  );
}

const METHOD = [
  'A run sees the dataset up to its own day; everything later is hidden from it by the same code that hides tomorrow in production. Each run trains its model again.',
  'Results come after the close, so a pick is bought by a limit order that waits through the next day at the close plus 1 %. It fills at that day’s average price (value over volume), at the limit where the average lies above it, and not at all where the day’s low does; 0.15 % of fees. Names that closed at their upper limit are no picks. It is sold at the target exactly, at the stop less a tick, or at the end of the horizon at the last close less a tick, with 0.25 % of fees; target and stop on one day count as the stop, and the day of the purchase can only stop it. Prices are adjusted for splits and the like. A stock that is suspended or gone is sold at its last traded close.',
  'Blind picks are all names that could be bought and passed the floors of price and value of the very run, on the very day; each week counts by its number of picks. Only weeks whose horizon ends within the data are judged.',
  'All models run with their own defaults, which were chosen knowing the real market of these years: the models never saw the outcomes they are judged by, the people who set the defaults did.',
];

function judgedTable(evaluation: Evaluation): Markup | undefined {
  const models = pickModels(evaluation);
  if (models.length === 0) return undefined;
  return tableOf({
    caption: 'What counts as a win, and the weeks that are drawn together',
    columns: [
      ['Model', ({ name }) => name],
      ['Target', ({ judged_by }) => `+${plain(100 * judged_by.target_gain, 0)} %`],
      ['Stop', ({ judged_by }) => plain(-100 * judged_by.stop_loss, 0) + ' %'],
      ['Within', ({ judged_by }) => `${judged_by.horizon_days} days`],
      ['Blocks', ({ block_weeks }) => `${block_weeks} weeks`],
    ],
    rows: models,
  });
}

function facts(named: Record<string, string>): Markup {
  const pairs = Object.entries(named).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, value),
  ]);
  return element('dl', {}, pairs);
}

/** The style of the page: readable on a phone first, with a light and a dark theme. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfb; --ink: #1c1c1a; --quiet: #62625c; --rule: #dededa; --mark: #2a6fc9; --reference: #8a8a83;
  --label-paper: #fdf0d5; --label-ink: #6b4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161615; --ink: #ededea; --quiet: #a3a39c; --rule: #383835; --mark: #6ea8f0; --reference: #8f8f88;
    --label-paper: #3b2a08; --label-ink: #ffd996;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1080px; padding: 20px 16px 48px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.55rem; line-height: 1.2; margin: 0 0 8px; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 40px 0 4px; }
h3 { font-size: 1rem; margin: 24px 0 4px; }
p, dl, ul { max-width: 46rem; }
.quiet, caption, dt { color: var(--quiet); }
.label {
  background: var(--label-paper); color: var(--label-ink); border-radius: 6px; padding: 8px 12px; margin: 8px 0;
  font-weight: 600;
}
.pair { display: grid; gap: 12px 32px; align-items: start; }
.pair > * { min-width: 0; }
@media (min-width: 860px) { .pair { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); } }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
caption { text-align: left; padding: 4px 0; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
th { font-weight: 500; }
thead th { color: var(--quiet); vertical-align: bottom; }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead .figure { white-space: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
dd { margin: 0; }
code { font-size: 0.9em; background: color-mix(in srgb, var(--ink) 8%, transparent); padding: 2px 5px; border-radius: 4px; }
svg { display: block; width: 100%; max-width: 520px; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .name { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .tick { fill: var(--quiet); }
svg .grid { stroke: var(--rule); }
svg .bound { stroke: var(--quiet); stroke-dasharray: 3 3; }
svg .whisker { stroke: var(--mark); stroke-width: 2; stroke-linecap: round; }
svg .point { fill: var(--mark); stroke: var(--mark); stroke-width: 1.5; }
svg .open { fill: var(--paper); }
svg .reference { fill: var(--paper); stroke: var(--reference); stroke-width: 1.5; }
`;

/** The statement that the figures of a model support, and no more. */
function verdict(model: ModelEvaluation): string {
  switch (model.kind) {
    case 'not_evaluated':
      return model.reason;
    case 'picks':
      return [pickVerdict(model), ...failures(model.runs)].join(' ');
    case 'recovery':
      return [recoveryVerdict(model), ...model.horizons.flatMap(({ runs }) => failures(runs))].join(' ');
  }
}

/** Used wherever an interval does not support a stronger claim. */
export const NOT_SHOWN = 'Not shown to be better than names of the same days taken blindly';

function pickVerdict({ figures: { weeks, picks, lift } }: PickEvaluation): string {
  if (picks === 0) return `No picks in ${weeks} weeks, so nothing can be said.`;
  if (lift.value === null || lift.low === null || lift.high === null)
    return `${NOT_SHOWN}: ${picks} picks in ${weeks} weeks are too few for an interval of the lift.`;
  const statement = `the 95 % interval of its lift, ${interval(lift, plain)},`;
  if (liesAbove(lift, 1))
    return `Its picks reached the target ${plain(lift.value)} times as often as names of the same days taken blindly; ${statement} lies above 1.`;
  if (lift.high < 1)
    return `Its picks did worse than names of the same days taken blindly: ${statement} lies below 1.`;
  return `${NOT_SHOWN}: the lower end of ${statement} is not above 1.`;
}

function recoveryVerdict({ horizons }: RecoveryEvaluation): string {
  const sentences = horizons.map(({ horizon_days, figures: { skill } }) => {
    const statement = `${horizon_days} days: Brier skill ${percent(skill.value)}`;
    if (skill.low === null) return `${statement}, too few weeks for an interval`;
    const isBelow = skill.high !== null && skill.high < 0;
    const claim = liesAbove(skill, 0) ? 'above 0' : isBelow ? 'below 0' : 'not shown to be above 0';
    return `${statement} (${interval(skill, percent)}), ${claim}`;
  });
  return `${sentences.join('; ')}.`;
}

function failures({ weeks, failed }: RunFacts): string[] {
  const [first] = failed;
  return first ? [`${failed.length} of ${weeks} runs failed, first on ${first.date}: ${first.message}`] : [];
}
