import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#foundation/clock.ts';
import { isCalendarDay, jakartaDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { repeat } from '#platform/process/repeat.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { DatasetPublisher } from './market/dataset-publisher.ts';
import type { MarketState, ServedMarket } from './market/served-market.ts';
import { SourceFailure, type Problem } from './deliveries/source-failure.ts';
import type { Delivered, Delivery, Subject } from './deliveries/delivery.ts';
import type { Source } from './sources/source.ts';
import type { FetchStore } from './store/fetch-store.ts';
import type { Claim, Finding, SourceStore } from './store/source-store.ts';
import { NOTHING_PLANNED, pauseAfter, planTurn, type Plan } from './turn-plan.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Another copy takes over a source whose copy was silent for this long. */
const LEASE_MS = 15_000;
const RENEW_PAUSE_MS = LEASE_MS / 5;
/** The finding of a fetch that corrects an earlier one. */
const CORRECTED = 'the source has corrected what it gave before';
/** Problems of one subject. All others concern the source, so that its other subjects would fail too. */
const OF_SUBJECT: readonly Problem[] = [
  'not_published',
  'changed_shape',
  'repeated_day',
  'truncated',
  'too_large',
  'refused',
];

function isOfSubject({ problem }: SourceFailure): boolean {
  return OF_SUBJECT.includes(problem);
}

interface RoundsDependencies {
  store: SourceStore;
  fetches: FetchStore;
  served: Pick<ServedMarket, 'read'>;
  publisher: DatasetPublisher;
  tradingDays: (from: string, to: string) => string[];
  onPublished: (market: MarketState) => Promise<void>;
  clock: Clock;
  log: Logger;
}

interface Logged extends Delivered {
  id: string;
  at: Date;
}

interface Failed {
  subject: Subject;
  failure: SourceFailure;
}

interface Fetched {
  brought: Logged[];
  failed: Failed | undefined;
  lastAsked: Subject | undefined;
}

/** Asks sources for what is due, and publishes what they bring. Safe to run in any number of processes. */
export class Rounds {
  readonly #deps: RoundsDependencies;

  constructor(deps: RoundsDependencies) {
    this.#deps = deps;
  }

  /** Works for a source if its next attempt has come. Call for each source on its own, so that a slow one delays no other. */
  async serve(source: Source, stopping: AbortSignal): Promise<void> {
    const { store, log } = this.#deps;
    const claim = await store.claim(source.name, { now: this.#inMs(0), until: this.#inMs(LEASE_MS) });
    if (!claim) return;
    const lost = new AbortController();
    const stopRenewing = repeat(
      `keeping the source ${source.name}`,
      RENEW_PAUSE_MS,
      async () => {
        const until = this.#inMs(LEASE_MS);
        if (await store.renew(claim, until)) claim.leasedUntil = until;
        else
          lost.abort(new SourceFailure('interrupted', 'Another copy of the feed has taken over the source.'));
      },
      log,
    );
    let found: Finding;
    try {
      found = await this.#work(source, claim, AbortSignal.any([stopping, lost.signal]));
    } finally {
      await stopRenewing();
    }
    if (found.reason !== null && found.reason !== claim.row.reason)
      log.warn(
        { source: source.name, subject: found.due_subject, reason: found.reason },
        'a source brings nothing',
      );
    await store.settle(claim, found);
  }

  /** One turn of a source: what is due, fetch it, publish it. Never throws for what the source or the importer do. */
  async #work(source: Source, claim: Claim, signal: AbortSignal): Promise<Finding> {
    const { fetches } = this.#deps;
    const abandoned = new SourceFailure('interrupted', 'The feed was stopped during the fetch.');
    await fetches.endAbandoned(source.name, abandoned, this.#inMs(0));
    let plan = NOTHING_PLANNED;
    try {
      const market = await this.#deps.served.read();
      plan = await planTurn(this.#deps, source, { row: claim.row, market, now: this.#inMs(0) });
      if (plan.subjects.length === 0) return this.#idle(source, claim, plan);
      return await this.#bring(source, claim, { plan, market, signal });
    } catch (error) {
      return this.#failed(claim, {
        failure: failureOf(error),
        subject: plan.subjects[0] ?? claim.row.due_subject,
      });
    }
  }

  async #bring(
    source: Source,
    claim: Claim,
    { plan, market, signal }: { plan: Plan; market: MarketState; signal: AbortSignal },
  ): Promise<Finding> {
    const fetched = await this.#fetchAll(source, plan.subjects, { market, signal });
    const { brought, failed, lastAsked } = fetched;
    const outcome = brought.length > 0 ? await this.#publish(source, brought, { market, signal }) : undefined;
    const news = outcome ? this.#newsOf(claim, brought, outcome) : {};
    // Days of a span that fail are passed over: the operator sees them in the log.
    if (failed && !(plan.isCatchUp && isOfSubject(failed.failure)))
      return { ...this.#failed(claim, failed), ...news };
    const caughtUp =
      plan.isCatchUp && lastAsked !== undefined
        ? { catch_up_done: lastAsked, isCaughtUp: lastAsked === plan.lastOfSpan }
        : {};
    return { ...news, ...caughtUp, ...stillFailing(claim, plan), next_attempt_at: this.#inMs(0) };
  }

  /** Asks for one subject after the other, until the source itself fails or its requests of today are spent. */
  async #fetchAll(
    source: Source,
    subjects: readonly Subject[],
    during: { market: MarketState; signal: AbortSignal },
  ): Promise<Fetched> {
    const budget = Math.max(source.requestsPerDay - (await this.#requestsToday(source)), 0);
    const fetched: Fetched = { brought: [], failed: undefined, lastAsked: undefined };
    for (const subject of subjects.slice(0, budget)) {
      fetched.lastAsked = subject;
      const failed = await this.#fetchOne(source, subject, fetched.brought, during);
      fetched.failed = failed ?? fetched.failed;
      if (failed && !isOfSubject(failed.failure)) return fetched;
    }
    const unasked = subjects[budget];
    if (unasked !== undefined) fetched.failed = { subject: unasked, failure: budgetSpent(source) };
    return fetched;
  }

  /**
   * Fetches a subject, and adds what it brings to `brought`.
   * @returns what failed: this subject, or one that was brought before and turns out to repeat this one
   */
  async #fetchOne(
    source: Source,
    subject: Subject,
    brought: Logged[],
    { market, signal }: { market: MarketState; signal: AbortSignal },
  ): Promise<Failed | undefined> {
    const { fetches } = this.#deps;
    const id = await fetches.begin(source.name, subject, this.#inMs(0));
    try {
      const delivery = await source.fetch(subject, signal);
      await fetches.received(id, delivery);
      const taken = await this.#refuseRepeated(source, { subject, delivery }, brought);
      const at = this.#inMs(0);
      const comparison = await this.#compared(source, subject, { delivery, market });
      brought.push({ id, at, subject, delivery, comparison });
      return taken;
    } catch (error) {
      const failure = failureOf(error);
      await fetches.failed([id], failure, this.#inMs(0));
      return { subject, failure };
    }
  }

  /** What a publication changes in what is known of the source. */
  #newsOf(
    { row }: Claim,
    brought: Logged[],
    { unchanged }: ImportOutcome,
  ): Pick<Finding, 'last_day' | 'last_published_at'> {
    const last_day = newest(row.last_day, brought);
    return unchanged ? { last_day } : { last_day, last_published_at: this.#inMs(0) };
  }

  async #publish(
    source: Source,
    logged: Logged[],
    { market, signal }: { market: MarketState; signal: AbortSignal },
  ): Promise<ImportOutcome> {
    const { fetches, publisher, onPublished, log } = this.#deps;
    const ids = logged.map(({ id }) => id);
    let outcome: ImportOutcome;
    try {
      outcome = await source.publish(logged, { publisher, market, retrievedAt: logged.at(-1)!.at, signal });
    } catch (error) {
      const failure = failureOf(error);
      await fetches.failed(ids, failure, this.#inMs(0));
      throw failure;
    }
    const version = outcome.dataset?.version ?? '';
    const end = {
      version,
      rejected: outcome.rejections.reduce((sum, { rows }) => sum + rows, 0),
      findings: findingsOf(outcome),
    };
    const isUnchanged = ({ comparison }: Logged) => outcome.unchanged || comparison === 'same';
    for (const fetch of logged) {
      const isCorrected = fetch.comparison === 'corrected';
      const findings = [...(isCorrected ? [CORRECTED] : []), ...end.findings];
      const as = isUnchanged(fetch) ? ('unchanged' as const) : ('published' as const);
      await fetches.published(fetch.id, { ...end, findings, outcome: as }, this.#inMs(0));
    }
    const subjects = logged.filter((fetch) => !isUnchanged(fetch)).map(({ subject }) => subject);
    log.info({ source: source.name, subjects, version, unchanged: outcome.unchanged }, 'data arrived');
    if (!outcome.unchanged) await onPublished(market);
    return outcome;
  }

  /** Compares what a subject brings with what it last brought, unless the market has lost that since. */
  async #compared(
    { name }: Source,
    subject: Subject,
    { delivery: { digest }, market }: { delivery: Delivery; market: MarketState },
  ): Promise<Delivered['comparison']> {
    if (!market.days.includes(subject) || digest === '') return undefined;
    const last = await this.#deps.fetches.lastDigest(name, subject);
    if (last === undefined) return undefined;
    return last === digest ? 'same' : 'corrected';
  }

  /**
   * Two days with the same numbers are one day that the source gave twice, usually the earlier one under the later date. So the
   * later one is refused or, if it came first, asked for again. It is taken out of `logged` if it is not published yet.
   * @returns what was taken out
   * @throws SourceFailure if the later one is this one
   */
  async #refuseRepeated(
    source: Source,
    { subject, delivery: { digest } }: Delivered,
    logged: Logged[],
  ): Promise<Failed | undefined> {
    const { fetches } = this.#deps;
    const other = await fetches.sameContent(source.name, subject, digest);
    if (other === undefined) return undefined;
    const [earlier, later] = [subject, other].toSorted();
    const failure = new SourceFailure(
      'repeated_day',
      `The source gave the numbers of ${earlier} as those of ${later}, which is asked for again.`,
    );
    if (later === subject) throw failure;
    await fetches.doubt(source.name, other, failure);
    const at = logged.findIndex((one) => one.subject === other);
    if (at < 0) return undefined;
    const [{ id }] = logged.splice(at, 1) as [Logged];
    await fetches.failed([id], failure, this.#inMs(0));
    return { subject: other, failure };
  }

  async #requestsToday({ name }: Source): Promise<number> {
    const today = startOfJakartaDay(jakartaDay(this.#inMs(0)));
    return (await this.#deps.fetches.counts(today)).get(name) ?? 0;
  }

  /** Nothing can be asked for now. What a resting subject waits for stays known. */
  #idle({ lookEveryMs }: Source, claim: Claim, plan: Plan): Finding {
    const soon = this.#inMs(lookEveryMs);
    const again = plan.waitsFor && plan.waitsFor.until < soon ? plan.waitsFor.until : soon;
    return { ...stillFailing(claim, plan), next_attempt_at: again };
  }

  #failed(
    { row }: Claim,
    { subject, failure }: { subject: Subject | null; failure: SourceFailure },
  ): Finding {
    const failures = row.failures + 1;
    const pauseMs = failure.retryAfterMs ?? (isOfSubject(failure) ? 0 : pauseAfter(failures));
    const next = failure.problem === 'budget_spent' ? this.#tomorrow() : this.#inMs(pauseMs);
    return { failures, reason: failure.message, due_subject: subject, next_attempt_at: next };
  }

  #tomorrow(): Date {
    return startOfJakartaDay(jakartaDay(this.#inMs(DAY_MS)));
  }

  #inMs(ms: number): Date {
    return new Date(this.#deps.clock().getTime() + ms);
  }
}

/** What fails after a turn in which everything succeeded: a due subject that rests goes on to fail, and its reason stays known. */
function stillFailing(
  { row }: Claim,
  { waitsFor }: Plan,
): Pick<Finding, 'failures' | 'reason' | 'due_subject'> {
  if (!waitsFor) return { failures: 0, reason: null, due_subject: null };
  return { failures: row.failures, reason: row.reason, due_subject: waitsFor.subject };
}

/** @throws the error itself if it is neither the source's nor the importer's */
function failureOf(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (error instanceof ServiceError) {
    const problem = error.code === 'import_rejected' ? 'refused' : 'unreachable';
    return new SourceFailure(problem, error.message, { cause: error });
  }
  if (error instanceof Error && error.name === 'AbortError')
    return new SourceFailure('interrupted', 'The feed was stopped during the fetch.', {
      retryAfterMs: 0,
      cause: error,
    });
  throw error;
}

function findingsOf({ rejections, findings }: ImportOutcome): string[] {
  return [
    ...rejections.map(({ reason, rows, first_at }) => `${rows} rows refused: ${reason} (first ${first_at})`),
    ...findings.map(({ finding, count, first_at }) => `${finding}: ${count} (first ${first_at})`),
  ];
}

function budgetSpent({ requestsPerDay }: Source): SourceFailure {
  return new SourceFailure(
    'budget_spent',
    `The ${requestsPerDay} requests of today are spent. The source is asked again tomorrow; requests_per_day raises the limit.`,
  );
}

/** The newest trading day that the source has brought. The names of files say nothing about days. */
function newest(known: string | null, brought: Logged[]): string | null {
  const days = brought.map(({ subject }) => subject).filter(isCalendarDay);
  return [...days, ...(known === null ? [] : [known])].toSorted().at(-1) ?? null;
}
