import { MODELS } from '#models/registry.ts';
import { FINAL, pollUntilFinal, submitRunOf } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';
import { tradingDays } from '#support/measuring/market-values.ts';
import { timesOf } from '#support/measuring/times.ts';
import { spread, type Figure } from '#support/measuring/report.ts';

/** Set `BENCH_RUNS` for a quick trial. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 20);
const PAIRS = Math.ceil(RUNS / 2);
/** Enough for each thread of the worker to have run the model. */
const WARM_UP = 6;
const POSITIONS = 5;
const GIVE_UP_MS = 120_000;

export interface Kind {
  model: string;
  params: object;
  /** The bar for a warm run that trains a model. */
  bar: string;
  learns: boolean;
  /** Trading days before the latest, newest first. A run of another day trains a new model. */
  days: readonly string[];
}

/** The bar for a run that reuses a trained model. */
const REUSED_BAR = '< 100 ms';
const BARS: Record<string, string> = {
  regime_adaptive_v6: '< 400 ms',
  gann_classic_v7: '< 400 ms',
  gross_alpha_v10: '< 500 ms',
  recovery_v4: '< 250 ms',
  model_f_combined: '< 400 ms',
};
const UNLEARNT_BAR = '< 300 ms';

/** Time from submission to inline result over REST: single runs and pairs. */
export async function runFigures(rest: Rest): Promise<Figure[]> {
  const kinds = await kindsOf(rest);
  const figures: Figure[] = [];
  for (const kind of kinds) figures.push(await aloneFigure(rest, kind));
  for (const kind of kinds.filter(({ learns }) => learns)) figures.push(await reusedFigure(rest, kind));
  for (const kind of kinds) figures.push(await pairFigure(rest, kind));
  return figures;
}

/** Every model with its defaults. */
export async function kindsOf(rest: Rest): Promise<Kind[]> {
  const { body } = await rest.get<{ inflow: { ticker: string }[] }>(
    `/api/v1/data/flows?min_abs_val=0&top_n=${POSITIONS}`,
  );
  const positions = body.inflow.map(({ ticker }) => ({ ticker, pnl_input: -10 }));
  const days = await tradingDays(rest, 250);
  return MODELS.map(({ id, learns, params }) => ({
    model: id,
    params: 'positions' in params ? { positions } : {},
    bar: BARS[id] ?? UNLEARNT_BAR,
    learns,
    days,
  }));
}

async function aloneFigure(rest: Rest, kind: Kind): Promise<Figure> {
  const learn = (run: number) => runOnce(rest, kind, { analysis_date: kind.days[run + 1] });
  const samples = await timesOf(learn, { count: RUNS, warmUp: WARM_UP });
  const anew = kind.learns ? ', trained anew' : '';
  return {
    what: `${kind.model}, warm${anew}, submit to result (${RUNS} runs, p50 / p90 / max)`,
    measured: spreadOf(samples),
    bar: kind.bar,
  };
}

/** The model of the latest day has been trained before these. */
async function reusedFigure(rest: Rest, kind: Kind): Promise<Figure> {
  const samples = await timesOf(() => runOnce(rest, kind), { count: RUNS, warmUp: WARM_UP });
  return {
    what: `${kind.model}, warm, model reused (${RUNS} runs, p50 / p90 / max)`,
    measured: spreadOf(samples),
    bar: REUSED_BAR,
  };
}

async function pairFigure(rest: Rest, kind: Kind): Promise<Figure> {
  const days = kind.days.slice(WARM_UP + RUNS + 1);
  const run = (number: number) => runOnce(rest, kind, { analysis_date: days[number] });
  const samples: number[] = [];
  // The runs of a pair begin together, so a pair waits for its longer run.
  for (let pair = 0; pair < PAIRS; pair++)
    samples.push(...(await timesOf((i) => run(2 * pair + i), { count: 2, atOnce: 2 })));
  return {
    what: `${kind.model}, warm, two at once (${PAIRS} pairs, p50 / p90 / max)`,
    measured: spreadOf(samples),
    bar: '< 2000 ms',
  };
}

export async function runOnce(
  rest: Rest,
  { model, params: given }: Kind,
  change: object = {},
): Promise<void> {
  const params = { ...given, ...change };
  const submitted = await submitRunOf(rest, model, params, '?wait=60');
  const job = FINAL.includes(submitted.status)
    ? submitted
    : await pollUntilFinal(rest, submitted.job_id, GIVE_UP_MS);
  if (job.status !== 'succeeded')
    throw new Error(`a run of ${model} ended ${job.status}: ${job.error?.message}`);
}

const spreadOf = (samples: number[]) => `${spread(samples, [0.5, 0.9, 1], 0)} ms`;
