import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CallerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient, type ServiceClient } from '#platform/grpc/client.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { repeat } from '#platform/process/repeat.ts';
import type { RecordedRun, RecordedSpan, RunStore } from '../store/run-store.ts';
import type { UsageRecords } from './usage-records.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Pause between two comparisons of recent runs. */
const PAUSE_MS = 120_000;
/** By then the other services of a deployment have started. */
const FIRST_PAUSE_MS = 3_000;
/** Pause after a failed comparison, and between checks whether one is due. */
const POLL_PAUSE_MS = 3_000;
const RECENT_MS = 3_600_000;
/** The time that a change of a run takes to reach the stream, and from there the ledger. */
const SETTLE_MS = 5_000;
const BATCH = 500;
/** Pause between two batches, so that comparing all runs puts little load on either store. */
const BATCH_PAUSE_MS = 25;
/** How long the ledger may take to show runs that were published again. */
const REPAIRED_WITHIN_MS = 10_000;
const REPAIRED_PAUSE_MS = 250;
/** Within this time the usage service answers, even if only that the ledger cannot be read. */
const RESPONDED_WITHIN_MS = 5_000;

interface ReconciliationDependencies {
  store: RunStore;
  usage: UsageRecords;
  ledger: UsageLedger;
  jsm: JetStreamManager;
  clock: Clock;
  log: Logger;
  pauseMs?: number;
  settleMs?: number;
}

interface Findings {
  checked: number;
  missing: number;
  stale: number;
  repaired: number;
}

/**
 * Compares the recorded runs with the usage ledger and publishes again what the ledger has lost. It compares all runs
 * at the start, daily, and after a restart of ClickHouse, and the runs of the last hour in between. It starts with the
 * newest runs, because the ledger's ceiling removes the oldest.
 */
export class Reconciliation {
  readonly #deps: ReconciliationDependencies;
  readonly #pauseMs: number;
  readonly #settleMs: number;
  #dueMs: number;
  /** When the last comparison of all runs began, by the monotonic clock of this process. */
  #wholeMs: number | undefined;
  /** Runs that settled before this time have been compared. */
  #comparedTo: Date | undefined;

  constructor(deps: ReconciliationDependencies) {
    this.#deps = deps;
    this.#pauseMs = deps.pauseMs ?? PAUSE_MS;
    this.#settleMs = deps.settleMs ?? SETTLE_MS;
    this.#dueMs = performance.now() + Math.min(FIRST_PAUSE_MS, this.#pauseMs);
  }

  /** Starts to compare regularly. Returns a function that stops it. */
  start(): () => Promise<void> {
    const stopping = new AbortController();
    const round = () => this.#round(stopping.signal);
    const stop = repeat(
      'comparing runs with the ledger',
      Math.min(POLL_PAUSE_MS, this.#pauseMs),
      round,
      this.#deps.log,
    );
    return () => {
      stopping.abort();
      return stop();
    };
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { ledger, clock, log } = this.#deps;
    const begunMs = performance.now();
    if (begunMs < this.#dueMs) return;
    const { uptimeMs } = await ledger.gapsAmong([], signal);
    const whole = this.#isWholeDue(begunMs, uptimeMs);
    const recent = new Date(Math.min(clock().getTime() - RECENT_MS, this.#comparedTo?.getTime() ?? 0));
    const settledBefore = await this.#settledBefore();
    const findings = await this.#compare({ since: whole ? undefined : recent, settledBefore }, signal);
    if (signal.aborted) return;
    this.#dueMs = performance.now() + this.#pauseMs;
    this.#comparedTo = settledBefore;
    if (whole) this.#wholeMs = begunMs;
    const ms = Math.round(performance.now() - begunMs);
    log.info(
      { runs: whole ? 'all' : 'recent', ...findings, ms },
      'usage ledger compared with the runs on record',
    );
  }

  #isWholeDue(nowMs: number, uptimeMs: number): boolean {
    if (this.#wholeMs === undefined) return true;
    const sinceMs = nowMs - this.#wholeMs;
    return sinceMs >= DAY_MS || uptimeMs < sinceMs;
  }

  /** The ledger cannot have events that are still in the stream, however long ClickHouse was unavailable. */
  async #settledBefore(): Promise<Date> {
    const { jsm, clock } = this.#deps;
    const { messages, first_ts } = (await jsm.streams.info('USAGE')).state;
    const oldestWaitingMs = messages > 0 ? Date.parse(first_ts) : Infinity;
    return new Date(Math.min(clock().getTime(), oldestWaitingMs) - this.#settleMs);
  }

  async #compare(span: Omit<RecordedSpan, 'after'>, signal: AbortSignal): Promise<Findings> {
    const { store, ledger } = this.#deps;
    const findings: Findings = { checked: 0, missing: 0, stale: 0, repaired: 0 };
    let after: RecordedSpan['after'];
    while (!signal.aborted) {
      const runs = await store.recorded({ ...span, after }, BATCH);
      if (runs.length === 0) break;
      const gaps = await ledger.gapsAmong(runs, signal);
      findings.checked += runs.length;
      findings.missing += gaps.missing.size;
      findings.stale += gaps.stale.size;
      findings.repaired += await this.#repair(among(runs, gaps), signal);
      after = runs.at(-1)!;
      await sleep(BATCH_PAUSE_MS);
    }
    return findings;
  }

  /** Publishes the runs again. Returns how many of them the ledger then has. */
  async #repair(runs: RecordedRun[], signal: AbortSignal): Promise<number> {
    if (runs.length === 0) return 0;
    const { store, usage, ledger } = this.#deps;
    for (const run of await store.withIds(runs.map(({ job_id }) => job_id))) {
      if ((await usage.recordAgain(run)) === 'unavailable')
        throw new Error('NATS does not take what the ledger lacks');
    }
    let lacking = runs;
    const giveUpAt = performance.now() + REPAIRED_WITHIN_MS;
    while (lacking.length > 0 && performance.now() < giveUpAt && !signal.aborted) {
      await sleep(REPAIRED_PAUSE_MS);
      lacking = among(lacking, await ledger.gapsAmong(lacking, signal));
    }
    return runs.length - lacking.length;
  }
}

function among(runs: RecordedRun[], { missing, stale }: LedgerGaps): RecordedRun[] {
  return runs.filter(({ event_id }) => missing.has(event_id) || stale.has(event_id));
}

interface LedgerGaps {
  /** Event ids of runs that it does not have. */
  missing: Set<string>;
  /** Event ids of runs that it has in an earlier state. */
  stale: Set<string>;
  /** How long its server has been running. */
  uptimeMs: number;
}

export class UsageLedger {
  readonly #client: ServiceClient<UsageServiceService>;

  constructor(address: string, tls: TlsSettings, identity: CallerIdentity) {
    this.#client = createGrpcClient(UsageServiceService, {
      address,
      unavailableCode: 'usage_unavailable',
      timeoutMs: RESPONDED_WITHIN_MS,
      tls,
      identity,
    });
  }

  /** @throws ServiceError usage_unavailable while the ledger cannot be read */
  async gapsAmong(runs: RecordedRun[], signal: AbortSignal): Promise<LedgerGaps> {
    const states = runs.map(({ event_id, api_key_id, created_at, usage_due }) => ({
      event_id,
      api_key_id,
      ts: created_at,
      status: usage_due,
    }));
    const response = await this.#client.findUnrecorded(
      { runs: states },
      { requestId: randomId('req'), signal },
    );
    const { missing, stale, uptime_seconds } = response;
    return { missing: new Set(missing), stale: new Set(stale), uptimeMs: uptime_seconds * 1_000 };
  }

  close(): void {
    this.#client.close();
  }
}
