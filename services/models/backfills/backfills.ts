import { AckPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { BackfillDayEnded, BackfillDayRequested } from '#proto/saring/events/v1/backfills.ts';
import type { StartBackfillRequest } from '#proto/saring/models/v1/backfills.ts';
import { fingerprintOf, idempotencyConflict } from '#platform/wire/idempotency.ts';
import type { CallCost } from '#platform/grpc/call-cost.ts';
import { runsMs } from '#shared/costs/estimated-cost.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { Step } from '#shared/market/last-of-each.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { isAlreadyPublished, publishExpecting } from '#platform/nats/publish-expecting.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { pull } from '#platform/nats/pull.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { CANCELLED, errorTexts, type ErrorTexts } from '#models/inputs/run-errors.ts';
import { distinctCodes, universeIn } from '#foundation/text/codes.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import type { SpanDates } from '../analysis-day/analysis-date.ts';
import { datesOfKey, pinnedVersionOf, type TestMarketDays } from '../analysis-day/test-market-days.ts';
import { hopefulParams, learnsWith, type Params } from '../catalogue/parameters.ts';
import type {
  BackfillPageRow,
  BackfillRow,
  BackfillStore,
  CountedBackfill,
} from '../store/backfill-store.ts';
import type { RunTurns } from '../runs/run-turns.ts';
import { backfillDays } from './backfill-days.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Running backfills per API key. A further one is refused with rate_limited. */
const MAX_RUNNING = 2;
/**
 * Days are requested again when no page has arrived for this long, in case the stream lost them. It refuses those that it still
 * has.
 */
const REQUEST_AGAIN_MS = 60_000;
const PUBLISH_TIMEOUT_MS = 2_000;
/** Messages fetched per request. Their pages are written one after another. */
const BATCH = 16;
const ACK_WAIT_MS = 5_000;
const RETRY_MS = 1_000;
const BACKFILL_ID = /^bf_[0-9a-f]+$/;
const FAILED = errorTexts({
  id: 'Tidak satu pun tanggal memberikan hasil.',
  en: 'Not one of its days gave a result.',
});

/** Days that workers began and none survived to report. The pages of the other days stay. */
function lostDays(lost: number, days: number): ErrorTexts {
  return errorTexts({
    id: `${lost} dari ${days} tanggal tidak dapat dijalankan. Hasil tanggal lainnya tetap tersedia.`,
    en: `${lost} of ${days} days could not be run. The results of the other days remain.`,
  });
}

interface BackfillsDependencies {
  store: BackfillStore;
  nats: Nats;
  dates: SpanDates;
  testDays: Pick<TestMarketDays, 'read'>;
  turns: Pick<RunTurns, 'ofEachKey'>;
  newId: IdSource;
  log: Logger;
  retentionDays: number;
}

/** Runs models as of past days. The database rows are authoritative: what the streams lose is requested again. */
export class Backfills {
  readonly #deps: BackfillsDependencies;

  constructor(deps: BackfillsDependencies) {
    this.#deps = deps;
  }

  /**
   * @param cost charged before the backfill begins, if somebody pays
   * @throws ServiceError model_not_found, invalid_request, idempotency_conflict, rate_limited or model_unavailable
   */
  async start(
    request: StartBackfillRequest,
    cost?: CallCost,
  ): Promise<{ backfill: CountedBackfill; replayed: boolean }> {
    const { store, dates, testDays, newId } = this.#deps;
    const { model_id, from, to, api_key_id, end_user, idempotency_key } = request;
    const step = request.step as Step;
    const params = historyParams(model_id, request.params);
    const { tradingDays, pin } = await datesOfKey(dates, testDays, api_key_id);
    const days = backfillDays({ from, to, step }, tradingDays, pin);
    const fingerprint = fingerprintOf({ model_id, params: request.params ?? {}, from, to, step, end_user });
    const takeBack = cost?.charge(runsMs({ learns: learnsWith(model_id, params) }, days.length));
    const written = await store.insert(
      {
        backfill_id: newId('bf'),
        api_key_id,
        end_user,
        model_id,
        params,
        from_day: from,
        to_day: to,
        step,
        days,
        created_at: dates.clock(),
        idempotency_key: idempotency_key ?? null,
        fingerprint,
      },
      MAX_RUNNING,
    );
    if (written === 'too many' || 'earlier' in written) takeBack?.();
    if (written === 'too many') {
      const message = `${MAX_RUNNING} backfills of this key are running. Wait until one has ended, or cancel one.`;
      throw new ServiceError('rate_limited', message);
    }
    if ('earlier' in written) {
      if (written.earlier.fingerprint !== fingerprint) throw idempotencyConflict();
      return { backfill: await this.get(written.earlier.backfill_id, api_key_id), replayed: true };
    }
    void this.#request(written.begun);
    return { backfill: { ...written.begun, done: 0, failed: 0, lost: 0 }, replayed: false };
  }

  /** @throws ServiceError job_not_found, also for another key's backfill. */
  async get(backfillId: string, apiKeyId: string): Promise<CountedBackfill> {
    const found = BACKFILL_ID.test(backfillId)
      ? await this.#deps.store.find(backfillId, apiKeyId)
      : undefined;
    if (!found) throw new ServiceError('job_not_found', 'There is no such backfill.');
    return found;
  }

  newest(apiKeyId: string, limit: number): Promise<CountedBackfill[]> {
    return this.#deps.store.newestOf(apiKeyId, limit);
  }

  /** @param after YYYY-MM-DD; returns only pages of later days */
  async pages(
    backfillId: string,
    apiKeyId: string,
    { after, limit }: { after: string; limit: number },
  ): Promise<BackfillPageRow[]> {
    const { backfill_id } = await this.get(backfillId, apiKeyId);
    return this.#deps.store.pages(backfill_id, after, limit);
  }

  /** Cancels a running backfill and keeps the pages it has. A backfill that has ended stays unchanged. */
  async cancel(backfillId: string, apiKeyId: string): Promise<CountedBackfill> {
    const { store, dates } = this.#deps;
    const { status } = await this.get(backfillId, apiKeyId);
    if (status === 'running') {
      const end = { status: 'failed', finished_at: dates.clock(), ...errorTexts(CANCELLED.in) } as const;
      await store.change(backfillId, end);
      void this.#withdraw(backfillId);
    }
    return this.get(backfillId, apiKeyId);
  }

  /** Writes pages until `signal` aborts. All processes of the service share the work. */
  async follow(signal: AbortSignal): Promise<void> {
    const { nats, log } = this.#deps;
    const consumer = {
      durable_name: 'models',
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    };
    const options = { stream: 'BACKFILL_PAGES', consumer, batch: BATCH, log };
    for await (const message of pull(nats, options, signal)) {
      try {
        await this.#write(BackfillDayEnded.decode(message.data));
        message.ack();
      } catch (error) {
        log.warn({ subject: message.subject, reason: (error as Error).message }, 'page not written yet');
        message.nak(RETRY_MS);
      }
    }
  }

  /** Ends complete backfills, and requests missing days again when a backfill has made no progress. */
  async poll(): Promise<void> {
    const { store, dates } = this.#deps;
    for (const backfill of await store.running()) {
      const movedAt = backfill.moved_at?.getTime() ?? -Infinity;
      if (await this.#endIfComplete(backfill)) continue;
      if (dates.clock().getTime() - movedAt < REQUEST_AGAIN_MS) continue;
      await this.#request(backfill);
    }
  }

  async purge(batch: number): Promise<void> {
    const { store, dates, retentionDays } = this.#deps;
    const before = new Date(dates.clock().getTime() - retentionDays * DAY_MS);
    while ((await store.purge(before, batch)) === batch);
  }

  async #write(ended: BackfillDayEnded): Promise<void> {
    const { store, dates } = this.#deps;
    const { backfill_id, as_of, dataset_version, result_json, english, tickers } = ended;
    const page = {
      backfill_id,
      as_of,
      dataset_version: dataset_version ?? null,
      tickers,
      result_json: result_json?.toString('utf8') ?? null,
      english,
      error_message: ended.error_message ?? null,
      error_english: ended.error_english ?? null,
    };
    const backfill = await store.addPage(page, dates.clock());
    if (backfill && !(await this.#endIfComplete(backfill))) void this.#request(backfill);
  }

  async #endIfComplete({ backfill_id, days, done, failed, lost }: CountedBackfill): Promise<boolean> {
    if (done < days.length) return false;
    const { store, dates, log } = this.#deps;
    const finished_at = dates.clock();
    const failure = lost > 0 ? lostDays(lost, days.length) : failed === days.length ? FAILED : undefined;
    const end = failure
      ? ({ status: 'failed', finished_at, ...failure } as const)
      : ({ status: 'succeeded', finished_at } as const);
    if (await store.change(backfill_id, end))
      log.info({ backfill_id, days: days.length, failed, lost }, 'backfill ended');
    return true;
  }

  /**
   * Queues the days that are next. Workers take days in the order of the stream, so that a backfill has only a few there, as runs of a
   * key do: another one waits for these. Every page brings the next day. Never throws: what could not be queued is requested again later.
   */
  async #request(backfill: BackfillRow): Promise<void> {
    const { store, nats, dates, testDays, turns, log } = this.#deps;
    const { backfill_id, model_id, params, api_key_id } = backfill;
    try {
      const pinned_version = await pinnedVersionOf(testDays, api_key_id);
      const next = (await store.missingDays(backfill)).slice(0, turns.ofEachKey);
      await Promise.all(
        next.map(async (as_of) => {
          const day = BackfillDayRequested.encode({ backfill_id, model_id, params, as_of, pinned_version });
          const options = {
            msgID: `${backfill_id}.${as_of}`,
            expect: { lastSubjectSequence: 0 },
            timeout: PUBLISH_TIMEOUT_MS,
          };
          const subject = subjects.backfillDay(backfill_id, as_of);
          await publishExpecting(nats.js, subject, day.finish(), options).catch((error: unknown) => {
            if (!isAlreadyPublished(error)) throw error;
          });
        }),
      );
      const isWanted = await store.change(backfill_id, { moved_at: dates.clock() });
      // Cancelled in the meantime, perhaps by another process: withdraw the days that were queued after its withdrawal.
      if (!isWanted) await this.#withdraw(backfill_id);
    } catch (error) {
      log.warn({ backfill_id, reason: (error as Error).message }, 'days of a backfill not requested yet');
    }
  }

  /** Removes queued days. A worker finishes a day it has already taken, in vain; that takes a second at most. */
  async #withdraw(backfillId: string): Promise<void> {
    const { nats, log } = this.#deps;
    try {
      for (const filter of [subjects.backfillDay(backfillId, '*'), subjects.earlierBackfillDays(backfillId)])
        await nats.jsm.streams.purge('BACKFILLS', { filter });
    } catch (error) {
      log.warn({ backfill_id: backfillId, reason: (error as Error).message }, 'days not withdrawn');
    }
  }
}

/** The parameters shared by the runs of all days: everything except the analysis date. */
export function historyParams(model_id: string, params: Params | undefined): Params {
  const { analysis_date: _, ...completed } = hopefulParams({ model_id, params, view: 'full' });
  if (params && Object.hasOwn(params, 'analysis_date')) {
    const msg = 'must be left out: `from`, `to` and `step` say which days are analysed';
    const mistake: FieldError = {
      loc: ['body', 'params', 'analysis_date'],
      msg,
      type: 'extra_forbidden',
    };
    refuse([mistake]);
  }
  return withCodes(completed);
}

/**
 * The parameters with tickers as runs get them. A universe is refused: it has other members on each of the days, and all days
 * have the same parameters.
 */
function withCodes({ tickers, ...params }: Params): Params {
  if (!tickers) return params;
  const codes = distinctCodes(tickers as string[]);
  refuse(
    codes.flatMap((code, at) =>
      universeIn(code) === undefined
        ? []
        : [{ loc: ['body', 'params', 'tickers', at], msg: NO_UNIVERSE, type: 'value_error', input: code }],
    ),
  );
  // The order is always the same, so that the past of a screen finds the backfill of the same stocks.
  return { ...params, tickers: codes.toSorted() };
}

const NO_UNIVERSE = 'must be a ticker: a universe has other members on each day of a backfill';
