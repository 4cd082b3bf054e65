import { defaultRuns, type DefaultRun } from '#models/default-runs.ts';
import { MODELS } from '#models/registry.ts';
import { isQuick } from '#models/quick-runs.ts';
import { defaultsOf } from '#models/inputs/parameters.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { lastDayOf, openMarket, type SharedMarket } from './market/shared-market.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import type { ScreenThread } from './threads/screen-thread.ts';

/** A default run of such a model fails, whoever asks for it. */
const EXPECTED = ['insufficient_data', 'data_unavailable'];

/**
 * Trains ahead what runs with the defaults need on a market: runs each model that is trained, one after the other, on the threads in
 * turn, which warms their code. A model that reads months of broker rows comes last and runs on every thread, because each thread
 * takes them in for itself, and the first default run on a thread took twice as long as later ones. A model that never trains warms
 * the thread of its runs.
 */
export async function prepare(
  pool: ThreadPool<ScreenThread>,
  market: SharedMarket,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const begun = performance.now();
  const analysis_date = lastDayOf(market);
  const runs = defaultRuns(tradedOnLastDay(market));
  const ofBrokers = runs.filter(readsBrokerMonths);
  const others = runs.filter((run) => !ofBrokers.includes(run));
  const onEveryThread = Array.from({ length: pool.size }, () => ofBrokers).flat();
  for (const { modelId: model_id, params } of [...others, ...onEveryThread]) {
    const outcome = await pool.prepare(market, { model_id, params, analysis_date, view: 'full' }, signal);
    if (signal.aborted) return;
    if (outcome.status === 'failed' && !EXPECTED.includes(outcome.code))
      log.warn(
        { model_id, reason: outcome.message.en },
        'a model could not be trained ahead of the runs that need it',
      );
  }
  for (const { id: model_id, params } of MODELS.filter(({ id }) => isQuick(id)))
    await pool.run(market, { model_id, params: defaultsOf(params), analysis_date, view: 'full' }, signal);
  if (signal.aborted) return;
  const { version } = market.dataset;
  log.info({ version, ms: Math.round(performance.now() - begun) }, 'default models have learnt');
}

function readsBrokerMonths({ modelId }: DefaultRun): boolean {
  return MODELS.find(({ id }) => id === modelId)?.brokerNeeds !== undefined;
}

function tradedOnLastDay(market: SharedMarket): string[] {
  const { panel, features } = openMarket(market);
  const table = features();
  const { from, to } = table.rowsOf(panel.dayCount - 1);
  return Array.from(table.columns.ticker.subarray(from, to), (ticker) => panel.columns.tickers[ticker]!);
}
