import { z } from 'zod';
import { resultOf, type FinishedJob, type Job } from '#client/index.ts';
import { defineTool, READS, WRITES, type ToolCall } from './tool.ts';

const number = z.number().nullable();
const jobId = z.string().describe('Id of a run, as run_model answers it.');

/** What a tool says of a pick, as far as the model has it, by the column of the result. */
const COLUMNS = {
  ticker: 'Ticker',
  win_chance_pct: 'win_chance_pct',
  base_rate_pct: 'base_rate_pct',
  last_close: 'Last Close',
  entry: 'Entry',
  target: 'Target',
  stop: 'Stop',
  signals: 'Signals',
  outlook: 'Outlook',
  reasons: 'reasons',
} as const;
const pick = z.object({
  ticker: z.string(),
  win_chance_pct: number.optional(),
  base_rate_pct: number
    .optional()
    .describe('How often the average liquid stock wins. A chance means nothing without it.'),
  last_close: number.optional().describe('IDR.'),
  entry: number.optional().describe('IDR.'),
  target: number.optional().describe('IDR.'),
  stop: number.optional().describe('IDR.'),
  signals: number.optional(),
  outlook: z.string().optional(),
  reasons: z.array(z.string()).optional(),
});
/** The API allows more. The first are the best, and a context is small. */
const MAX_PICKS = 20;

export const listModels = defineTool({
  name: 'list_models',
  title: 'The screening models',
  description: 'Every model with what has been shown of it on real markets. Ask this before run_model.',
  input: {},
  output: {
    models: z.array(
      z.object({ id: z.string(), name: z.string(), category: z.string(), verdict: z.string().nullable() }),
    ),
  },
  annotations: READS,
  async answer(_, { saring, signal }) {
    const models = await saring.models.list({ signal });
    return { models: models.map((model) => ({ ...model, verdict: model.evidence?.verdict ?? null })) };
  },
});

export const runModel = defineTool({
  name: 'run_model',
  title: 'Run a screening model',
  description:
    'Trains a model on the market as it is and answers the stocks that it picks, the best first. Takes seconds to a minute. The ' +
    'job id serves why_picked and what_changed.',
  input: {
    model_id: z.string().describe('Id from list_models, such as model_f_combined.'),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Parameters that differ from the defaults of the model.'),
  },
  output: {
    job_id: z.string(),
    as_of: z.string(),
    pick_count: z.number(),
    picks: z.array(pick).describe(`At most ${MAX_PICKS}, the best first.`),
    notice: z.string(),
  },
  annotations: WRITES,
  async answer({ model_id, params }, call) {
    const { saring, signal } = call;
    const accepted = await saring.runs.submit(model_id, { ...(params && { params }), signal });
    const job = await followed(accepted.job_id, call);
    const result = resultOf(job as FinishedJob) as AnyResult;
    const picks = result.df_result.slice(0, MAX_PICKS).map(shortly);
    return { notice: '', ...result, job_id: job.job_id, picks };
  },
});

/** What the results of all models share. */
interface AnyResult {
  as_of: string;
  pick_count: number;
  notice?: string;
  df_result: Record<string, unknown>[];
}

function shortly(row: Record<string, unknown>): z.infer<typeof pick> {
  const known = Object.entries(COLUMNS).filter(([, column]) => row[column] !== undefined);
  const values = known.map(([name, column]) => [
    name,
    name === 'last_close' ? ungrouped(row[column]) : row[column],
  ]);
  return Object.fromEntries(values) as z.infer<typeof pick>;
}

/** The number of a display string with thousands separators: 1250 for `1,250`. */
function ungrouped(shown: unknown): number {
  return Number(String(shown).replaceAll(',', ''));
}

/** Follows a job to its end and tells each state. Whoever gives up stops the run, so that it takes no other's place. */
export async function followed(jobId: string, { saring, signal, progress }: ToolCall): Promise<Job> {
  const stop = () => void saring.jobs.cancel(jobId).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    let last: Job | undefined;
    for await (const job of saring.jobs.follow(jobId, { signal })) {
      last = job;
      await progress(job.status);
    }
    return last!.result_available && last!.result === undefined
      ? await saring.jobs.get(jobId, { signal })
      : last!;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export const whyPicked = defineTool({
  name: 'why_picked',
  title: 'Why a stock is among the picks, or not',
  description:
    'For one stock and one run: whether it was picked, at which step it fell, what would have let it pass, and the strongest reasons.',
  input: { job_id: jobId, ticker: z.string() },
  output: {
    ticker: z.string(),
    picked: z.boolean(),
    place: number,
    fell_at: z.string().nullable(),
    message: z.string(),
    reasons: z.array(z.string()),
    shortfalls: z.array(z.object({ param: z.string(), value: number, threshold: number })),
  },
  annotations: READS,
  async answer({ job_id, ticker }, { saring, signal }) {
    return saring.jobs.explain(job_id, ticker, { signal });
  },
});

const changed = z.array(z.object({ ticker: z.string(), message: z.string() }));

export const whatChanged = defineTool({
  name: 'what_changed',
  title: 'What changed between two runs',
  description:
    'Which stocks entered and left between an earlier run and a later one of the same model, each with the cause.',
  input: { job_id: jobId, before: jobId },
  output: {
    same_dataset: z.boolean(),
    entered: changed,
    left: changed,
    stayed: z.array(z.string()),
  },
  annotations: READS,
  async answer({ job_id, before }, { saring, signal }) {
    const diff = await saring.jobs.diff(job_id, before, { signal });
    return { ...diff, stayed: diff.stayed.map(({ ticker }) => ticker) };
  },
});

const estimate = z.object({ value: number, low: number, high: number });

export const howGoodIsModel = defineTool({
  name: 'how_good_is_model',
  title: 'What became of a model’s picks',
  description:
    'The record of a model’s daily picks since they are kept: how often they won beside how often the average stock did, with ' +
    'intervals. An interval that holds 1 (lift) or 0 (return) shows nothing.',
  input: { model_id: z.string() },
  output: {
    picks: z.number(),
    open: z.number().describe('Picks whose outcome is not known yet.'),
    win_rate_pct: number,
    base_rate_pct: number,
    lift: estimate,
    net_return_pct: estimate,
  },
  annotations: READS,
  async answer({ model_id }, { saring, signal }) {
    const { daily } = await saring.models.record(model_id, { signal });
    return { ...daily, picks: daily.n };
  },
});
