import path from 'node:path';
import { bool, makeValidator, str } from 'envalid';
import { integer, loadConfig } from '#platform/configuration/config.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { MODELS } from '#models/registry.ts';
import type { MarketToImport } from './private-importer.ts';
import type { Evaluation } from './evaluation.ts';

const calendarDay = makeValidator<string>((text) => {
  if (!isCalendarDay(text)) throw new Error('must be a date of the form YYYY-MM-DD');
  return text;
});

const modelIds = makeValidator<string>((text) => {
  const ids = MODELS.map(({ id }) => id);
  const unknown = text.split(',').find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new Error(`must be some of ${ids.join(',')}`);
  return text;
});

const settings = {
  DATASET: str({ default: '', desc: 'file or folder with market data; a market is made up without' }),
  SYNTHESIZE_BROKERS: bool({
    default: false,
    desc: 'whether broker rows are made up for a DATASET that has no real ones',
  }),
  FROM: calendarDay({ default: undefined, desc: 'first day of the span' }),
  TO: calendarDay({ default: undefined, desc: 'last day of the span' }),
  OUT: str({ default: '.saring/evaluation', desc: 'folder for evaluation.json and evaluation.html' }),
  MODELS: modelIds({ default: undefined, desc: 'ids of the models, joined by commas' }),
  SAMPLE_TICKERS: integer({ min: 1, max: 2_000 })({ default: 300, desc: 'stocks of a made-up market' }),
  SAMPLE_DAYS: integer({ min: 30, max: 2_500 })({ default: 1_000, desc: 'trading days of a made-up market' }),
};

/** The options of an evaluation. Each is also a variable of `make evaluate`. */
export interface EvaluationSettings extends MarketToImport {
  /** YYYY-MM-DD; undefined for the last year whose outcomes are all known. */
  from: string | undefined;
  to: string | undefined;
  /** Absolute path. */
  out: string;
  modelIds: readonly string[];
}

/** @throws ConfigError that names every wrong setting */
export function readSettings(env: NodeJS.ProcessEnv = process.env): EvaluationSettings {
  // An empty variable counts as absent.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const config = loadConfig(settings, given);
  return {
    dataset: config.DATASET === '' ? undefined : path.resolve(config.DATASET),
    synthesizeBrokers: config.SYNTHESIZE_BROKERS,
    from: config.FROM,
    to: config.TO,
    out: path.resolve(config.OUT),
    modelIds: config.MODELS?.split(',') ?? MODELS.map(({ id }) => id),
    sample: { tickers: config.SAMPLE_TICKERS, days: config.SAMPLE_DAYS },
  };
}

/** The command that repeats the evaluation: the span in full, a dataset by its file name without its folder. */
export function repeatCommand(
  { dataset, synthesizeBrokers, modelIds, sample }: EvaluationSettings,
  { from, to }: Evaluation['span'],
): string {
  const market =
    dataset === undefined
      ? [`SAMPLE_TICKERS=${sample.tickers}`, `SAMPLE_DAYS=${sample.days}`]
      : [`DATASET=${path.basename(dataset)}`, ...(synthesizeBrokers ? ['SYNTHESIZE_BROKERS=1'] : [])];
  const models = modelIds.length < MODELS.length ? [`MODELS=${modelIds.join(',')}`] : [];
  return ['make evaluate', ...market, `FROM=${from}`, `TO=${to}`, ...models].join(' ');
}
