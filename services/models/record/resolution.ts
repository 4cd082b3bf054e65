import { setTimeout as sleep } from 'node:timers/promises';
import type { PicksToResolve, ResolvedPicks } from '#proto/saring/market_data/v1/market_data.ts';
import type { Clock } from '#foundation/clock.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { type RecordedRun, type RecordStore, saysTheSame } from '../store/record-store.ts';
import type { OutcomeBody } from '../store/record-chain.ts';
import type { ServedMarket, ServedVersion } from './served-market.ts';

/** Runs per request. market-data can answer nothing else meanwhile, so a request must take only a few milliseconds. */
const BATCH = 8;
const BATCH_PAUSE_MS = 10;

interface ResolutionDependencies {
  record: Pick<RecordStore, 'appendVersion' | 'appendOutcome' | 'countedRuns' | 'newestDay'>;
  market: Pick<ServedMarket, 'version' | 'resolve'>;
  clock: Clock;
  log: Logger;
}

/**
 * Follows the served dataset and records the outcome of the picks that count. Every newly served version is compared
 * with the whole record, because it may correct old days; each changed outcome becomes a new entry. An older version
 * that is served again is skipped, so that what was known of later days stays known.
 */
export class Resolution {
  readonly #deps: ResolutionDependencies;
  #served: ServedVersion | undefined;
  /**
   * Version and Jakarta day of the last complete round. A new day needs a new round: the last trading day may be final
   * then.
   */
  #resolved = '';

  constructor(deps: ResolutionDependencies) {
    this.#deps = deps;
  }

  /** The version of the last response; undefined before the first one. */
  get served(): ServedVersion | undefined {
    return this.#served;
  }

  /** Checks the served version once. `signal` ends it between two batches. */
  async poll(signal: AbortSignal): Promise<void> {
    const { record, market, clock } = this.#deps;
    const served = await market.version();
    if (!served) return;
    const { version, kind, last_date } = served;
    if (version !== this.#served?.version)
      await record.appendVersion({ dataset_version: version, dataset_kind: kind, last_date });
    this.#served = served;
    const state = `${version} ${jakartaDay(clock())}`;
    if (state !== this.#resolved && (await this.#resolveAll(served, signal))) this.#resolved = state;
  }

  /** Returns whether all runs were compared with this one version. */
  async #resolveAll({ version, kind, last_date }: ServedVersion, signal: AbortSignal): Promise<boolean> {
    const { record, log } = this.#deps;
    if (last_date < (await record.newestDay(kind))) return true;
    let after: RecordedRun | undefined;
    let [compared, changed] = [0, 0];
    while (!signal.aborted) {
      const runs = await record.countedRuns(kind, last_date, after, BATCH);
      const picked = runs.filter(({ body }) => body.picks.length > 0);
      const resolved = await this.#resolve(version, picked);
      if (!resolved) return false;
      for (const [i, run] of picked.entries()) {
        const outcome = outcomeOf(run, resolved[i]!, version);
        if (!outcome || saysTheSame(run.outcome, outcome)) continue;
        await record.appendOutcome(run, outcome);
        changed++;
      }
      compared += runs.length;
      if (runs.length < BATCH) {
        log.info({ version, compared, changed }, 'record of past picks compared with the dataset');
        return true;
      }
      after = runs.at(-1);
      await sleep(BATCH_PAUSE_MS);
    }
    return false;
  }

  /** Undefined if another version answered. A run for which market-data fails alone is not judged, and holds up no others. */
  async #resolve(version: string, runs: RecordedRun[]): Promise<ResolvedPicks[] | undefined> {
    const { market, log } = this.#deps;
    if (runs.length === 0) return [];
    try {
      return await market.resolve(version, runs.map(picksToResolve));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'data_unavailable') throw error;
      if (runs.length === 1) {
        log.error({ job_id: runs[0]!.job_id, err: error }, 'picks on record cannot be judged');
        return [{ picks: [], names: undefined }];
      }
    }
    const alone: ResolvedPicks[] = [];
    for (const run of runs) {
      const resolved = await this.#resolve(version, [run]);
      if (!resolved) return undefined;
      alone.push(...resolved);
    }
    return alone;
  }
}

function picksToResolve({ body }: RecordedRun): PicksToResolve {
  const { as_of, target_gain, stop_loss, horizon_days, min_price, min_daily_val, picks } = body;
  const tickers = picks.map(({ ticker }) => ticker);
  return { as_of, tickers, target_gain, stop_loss, horizon_days, min_price, min_daily_val };
}

/** Undefined if the dataset cannot decide yet: it lacks the day, or has no later day. */
function outcomeOf(
  { outcome, body }: RecordedRun,
  { picks, names }: ResolvedPicks,
  dataset_version: string,
): OutcomeBody | undefined {
  if (picks.length !== body.picks.length) return undefined;
  if (!outcome && !names && picks.every(({ state }) => state === 'open')) return undefined;
  return {
    dataset_version,
    picks: picks.map(({ ticker, state, exit_date, net_return }) => ({
      ticker,
      state: state as OutcomeBody['picks'][number]['state'],
      exit_date: exit_date ?? null,
      net_return: net_return ?? null,
    })),
    names: names ?? null,
  };
}
