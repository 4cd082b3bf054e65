import Type, { type Static } from 'typebox';
import { DatasetVersion, named, nullable } from '#foundation/schema.ts';
import type { NameTrace, Shortfall } from '../picks/funnel.ts';
import { asOf, ticker } from '../results/results.ts';
import { Localised } from '#foundation/text/localised.ts';
import { FORMATS, type Language } from '#foundation/text/languages.ts';
import type { RunExplanation } from '../picks/run-explanation.ts';

/** The reason why a name is among the picks of one run and not of another. */
const CAUSES = ['filter', 'chance', 'price', 'criterion', 'rank', 'data'] as const;
type Cause = (typeof CAUSES)[number];

const WORDS: Record<Cause, Localised> = {
  filter: new Localised('parameternya berbeda', 'the parameters differ'),
  chance: new Localised('peluangnya berubah', 'its chance changed'),
  price: new Localised('harganya berubah', 'its price changed'),
  criterion: new Localised('nilainya pada satu kriteria berubah', 'its value in a criterion changed'),
  rank: new Localised('saham lain menggeser peringkatnya', 'others changed its rank'),
  data: new Localised('di luar semesta saham', 'it is outside the universe'),
};

/** Parameters whose step requires a chance, a price, or a place among the best. */
const CAUSE_OF: Record<string, Cause> = {
  min_probability: 'chance',
  min_price: 'price',
  max_picks: 'rank',
};

const standing = Type.Object({
  picked: Type.Boolean({ description: 'Whether the run picked the stock.' }),
  place: nullable(Type.Integer(), 'Rank of the stock among the ranked stocks, starting at 1.'),
  fell_at: nullable(
    Type.String(),
    'Step of the funnel that the stock did not pass. Null for a pick, and for a stock outside the ' +
      'universe.',
  ),
  win_chance_pct: nullable(
    Type.Number(),
    'Calibrated chance of reaching the target before the stop, percent. Null if there is none.',
  ),
  probability: nullable(Type.Number(), 'Probability as in the result. Null if there is none.'),
});

const side = Type.Object({
  job_id: Type.String({ description: 'Job id.' }),
  model_id: Type.String({ description: 'Model id.', examples: ['model_f_combined'] }),
  as_of: asOf,
  dataset_version: DatasetVersion,
  pick_count: Type.Integer({ description: 'Number of picks.' }),
});

const move = Type.Object({
  ticker,
  cause: Type.Unsafe<Cause>({
    type: 'string',
    enum: CAUSES,
    description:
      'Cause of the difference. `filter`: with the parameters of the other run, the stock would have the ' +
      'same status there. Otherwise what changed between the runs: its `chance`, its `price`, its value ' +
      'in another `criterion`, its `rank` among the best, or the `data`: one of the runs does not have ' +
      'the stock in its universe.',
  }),
  param: nullable(Type.String(), 'Name of the deciding parameter. Null if the universe decides.'),
  value: nullable(Type.Number(), 'Value of the stock in the run that did not pick it.'),
  threshold: nullable(Type.Number(), 'Value with which that run compares it.'),
  message: Type.String({
    description:
      'The difference in one sentence, in Bahasa Indonesia or the language selected by Accept-Language.',
  }),
  before: standing,
  now: standing,
});

const diff = Type.Object(
  {
    before: side,
    now: side,
    same_dataset: Type.Boolean({ description: 'Whether both runs read the same dataset version.' }),
    params_changed: Type.Array(
      Type.Object({
        param: Type.String({ description: 'Name of the parameter.' }),
        before: Type.Unknown({ description: 'Value in the earlier run.' }),
        now: Type.Unknown({ description: 'Value in this run.' }),
      }),
      { description: 'Parameters that differ, except for the day, which is in `as_of`.' },
    ),
    entered: Type.Array(move, { description: 'Picks of this run that the earlier run does not have.' }),
    left: Type.Array(move, { description: 'Picks of the earlier run that this run does not have.' }),
    stayed: Type.Array(Type.Object({ ticker, before: standing, now: standing }), {
      description: 'Picks of both runs.',
    }),
  },
  { description: 'Comparison of two runs.' },
);
export type RunDiff = Static<typeof diff>;
export const RunDiff = named('RunDiff', diff);

/** The part of a run that a comparison needs. */
export interface ComparedRun {
  jobId: string;
  params: Readonly<Record<string, unknown>>;
  datasetVersion: string;
  explanation: RunExplanation;
}

/** Compares the picks of a run with those of another, usually a later run of the same model, and says why they differ. */
export function diffOf(before: ComparedRun, now: ComparedRun, language: Language): RunDiff {
  const [then, today] = [new Standings(before), new Standings(now)];
  const moveOf = (code: string, missing: Standings, having: Standings) => ({
    ...missing.lackOf(code, having.run, language),
    before: then.of(code),
    now: today.of(code),
  });
  const picksNow = new Set(today.picks);
  const picksBefore = new Set(then.picks);
  return {
    before: then.side,
    now: today.side,
    same_dataset: before.datasetVersion === now.datasetVersion,
    params_changed: changedParams(before.params, now.params),
    entered: today.picks.filter((code) => !picksBefore.has(code)).map((code) => moveOf(code, then, today)),
    left: then.picks.filter((code) => !picksNow.has(code)).map((code) => moveOf(code, today, then)),
    stayed: today.picks
      .filter((code) => picksBefore.has(code))
      .map((code) => ({ ticker: code, before: then.of(code), now: today.of(code) })),
  };
}

/** Where each name of a run ended up. */
class Standings {
  readonly run: ComparedRun;
  readonly #at: Map<string, number>;

  constructor(run: ComparedRun) {
    this.run = run;
    this.#at = new Map(run.explanation.names.map((name, at) => [name.ticker, at]));
  }

  /** The codes of the picks, best first. */
  get picks(): string[] {
    const picks = this.run.explanation.names.filter(({ fell }) => fell === null);
    return picks.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ ticker: code }) => code);
  }

  get side() {
    const { jobId, datasetVersion, explanation } = this.run;
    return {
      job_id: jobId,
      model_id: explanation.modelId,
      as_of: explanation.asOf,
      dataset_version: datasetVersion,
      pick_count: this.picks.length,
    };
  }

  of(code: string): RunDiff['stayed'][number]['now'] {
    const trace = this.#traceOf(code);
    const { model } = this.run.explanation;
    const at = this.#at.get(code);
    const chance = at === undefined ? undefined : model?.chance[at];
    return {
      picked: trace?.fell === null,
      place: trace?.place ?? null,
      fell_at: trace?.fell?.step ?? null,
      win_chance_pct: chance === undefined ? null : Math.round(1_000 * chance) / 10,
      probability: (at === undefined ? undefined : model?.probability[at]) ?? null,
    };
  }

  /** Why this run did not pick a name that the other run picked. */
  lackOf(code: string, other: ComparedRun, language: Language) {
    const shortfall = this.#traceOf(code)?.fell?.shortfalls[0];
    const cause = shortfall ? this.#causeOf(shortfall, other) : 'data';
    return {
      ticker: code,
      cause,
      param: shortfall?.param ?? null,
      value: shortfall?.value ?? null,
      threshold: shortfall?.threshold ?? null,
      message: sentenceOf(code, cause, shortfall)[language],
    };
  }

  #traceOf(code: string): NameTrace | undefined {
    return this.run.explanation.names[this.#at.get(code) ?? -1];
  }

  #causeOf(shortfall: Shortfall, other: ComparedRun): Cause {
    const { param } = shortfall;
    if (passesUnder(shortfall, this.run.params[param], other.params[param])) return 'filter';
    return CAUSE_OF[param] ?? 'criterion';
  }
}

/**
 * Whether the name would pass with the other run's value of the parameter. The difference of the two values moves the
 * threshold.
 */
function passesUnder({ value, threshold }: Shortfall, own: unknown, others: unknown): boolean {
  if (own === others || others === undefined) return false;
  if (typeof own !== 'number' || typeof others !== 'number' || value === null || threshold === null)
    return true;
  const moved = threshold + others - own;
  return value < threshold ? value >= moved : value <= moved;
}

function changedParams(before: ComparedRun['params'], now: ComparedRun['params']): RunDiff['params_changed'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names
    .filter((name) => name !== 'analysis_date')
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
    .map((param) => ({ param, before: before[param] ?? null, now: now[param] ?? null }));
}

function sentenceOf(code: string, cause: Cause, shortfall: Shortfall | undefined): Record<Language, string> {
  const { value = null, threshold = null } = shortfall ?? {};
  const reported = (language: Language, has: string, asks: string) => {
    if (!shortfall || value === null || threshold === null) return '';
    const { plain } = FORMATS[language];
    return ` (${shortfall.param}: ${has} ${plain(value)}, ${asks} ${plain(threshold)})`;
  };
  return {
    id: `${code}: ${WORDS[cause].in.id}${reported('id', 'nilainya', 'batasnya')}.`,
    en: `${code}: ${WORDS[cause].in.en}${reported('en', 'it has', 'the bound is')}.`,
  };
}
