import type { Evaluation } from '../evaluation.ts';
import { element, type Markup } from './markup.ts';
import { count, plain } from './numbers.ts';
import { pickModels } from './picks-section.ts';
import { tableOf } from './table.ts';

/** What was measured, on what, and how to do it again. */
export function methodSection(evaluation: Evaluation): Markup {
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
  'A run sees the dataset up to its own day; everything later is hidden from it by the same code that hides tomorrow in production. Each run learns anew.',
  'Results come after the close, so a pick is bought by a limit order that waits through the next day at the close plus 1 %. It fills at that day’s average price (value over volume), at the limit where the average lies above it, and not at all where the day’s low does; 0.15 % of fees. Names that closed at their upper limit are no picks. It is sold at the target exactly, at the stop less a tick, or at the end of the horizon at the last close less a tick, with 0.25 % of fees; target and stop on one day count as the stop, and the day of the purchase can only stop it. Prices are adjusted for splits and the like. A stock that is suspended or gone is sold at its last traded close.',
  'Blind picks are all names that could be bought and passed the floors of price and value of the very run, on the very day; each week counts by its number of picks. Only weeks whose horizon ends within the data are judged.',
  'All models run with their own defaults, which were chosen knowing the real market of these years: the models never saw the outcomes they are judged by, the people who set the defaults did.',
];

function judgedTable(evaluation: Evaluation): Markup | undefined {
  const models = pickModels(evaluation);
  if (models.length === 0) return undefined;
  return tableOf({
    caption: 'What counts as a win, and the weeks that are drawn together',
    head: ['Model', 'Target', 'Stop', 'Within', 'Blocks'],
    rows: models.map(({ name, judged_by: { target_gain, stop_loss, horizon_days }, block_weeks }) => [
      name,
      `+${plain(100 * target_gain, 0)} %`,
      plain(-100 * stop_loss, 0) + ' %',
      `${horizon_days} days`,
      `${block_weeks} weeks`,
    ]),
  });
}

function facts(named: Record<string, string>): Markup {
  const pairs = Object.entries(named).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, value),
  ]);
  return element('dl', {}, pairs);
}
