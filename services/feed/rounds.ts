import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#shared/clock.ts';
import { isCalendarDay, jakartaDay, startOfJakartaDay } from '#shared/jakarta-time.ts';
import type { Logger } from '#shared/logger.ts';
import { repeat } from '#shared/repeat.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { DatasetPublisher } from './dataset-publisher.ts';
import type { MarketState, ServedMarket } from './served-market.ts';
import {
  SourceFailure,
  type Delivered,
  type Delivery,
  type Problem,
  type Source,
  type Subject,
} from './sources/source.ts';
import type { FetchStore, SubjectHistory } from './store/fetch-store.ts';
import type { Claim, Finding, SourceStore } from './store/source-store.ts';

/** Another copy takes over a source whose copy was silent for this long. */
const LEASE_MS = 15_000;
const RENEW_PAUSE_MS = LEASE_MS / 5;
/** Days that arrive together become one version: each version costs workers what they learn on it. */
const MAX_BATCH = 20;
const DAY_MS = 86_400_000;
/** The finding of a fetch that corrects an earlier one. */
const CORRECTED = 'the source has corrected what it gave before';
/** Pauses after a failure: the first, doubled each time up to the last. */
const FIRST_PAUSE_MS = 15_000;
const LAST_PAUSE_MS = 900_000;

/** What is wrong in a file itself, which stays wrong until somebody changes the file. */
const OF_CONTENT: readonly (Problem | null)[] = ['changed_shape', 'truncated', 'too_large'];

/** Problems of one subject. All others concern the source, so that its other subjects would fail too. */
const OF_SUBJECT: readonly Problem[] = [
  'not_published',
  'changed_shape',
  'repeated_day',
  'truncated',
  'too_large',
  'refused',
];

interface RoundsDependencies {
  store: SourceStore;
  fetches: FetchStore;
  served: Pick<ServedMarket, 'read'>;
  publisher: DatasetPublisher;
  /** The trading days of a span to catch up. */
  tradingDays: (from: string, to: string) => string[];
  /** Called after each publication. */
  onPublished: (market: MarketState) => Promise<void>;
  clock: Clock;
  log: Logger;
}

/** What a turn of a source is for. */
interface Plan {
  subjects: Subject[];
  /** Whether they are of the span that an operator asked for. */
  isCatchUp: boolean;
  /** The last day of the span. */
  lastOfSpan: string | undefined;
  /** A subject that is due and rests after a failure. */
  waitsFor?: { subject: Subject; until: Date } | undefined;
}

/** A fetch in the log, with what it brought. */
interface Logged extends Delivered {
  id: string;
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
    let plan: Plan = { subjects: [], isCatchUp: false, lastOfSpan: undefined };
    try {
      const market = await this.#deps.served.read();
      plan = await this.#plan(source, claim, market);
      if (plan.subjects.length === 0) return this.#idle(source, claim, plan);
      return await this.#bring(source, claim, { plan, market, signal });
    } catch (error) {
      return this.#failed(claim, failureOf(error), plan.subjects[0] ?? claim.row.due_subject);
    }
  }

  /** What is due comes first, then the span that an operator asked for, both oldest first. */
  async #plan(source: Source, { row }: Claim, market: MarketState): Promise<Plan> {
    const { fetches, tradingDays } = this.#deps;
    const now = this.#inMs(0);
    const histories = await fetches.histories(source.name);
    const today = startOfJakartaDay(jakartaDay(now));
    const isDone = (subject: Subject) => (histories.get(subject)?.lastSuccessAt ?? 0) >= today;
    const hasFailed = (subject: Subject) => (histories.get(subject)?.failures ?? 0) > 0;
    const restsUntil = (subject: Subject) =>
      restOf(histories.get(subject), row.asked_at, source.sameSince?.(subject));
    const isResting = (subject: Subject) => restsUntil(subject) > now;
    const { catch_up_from: from, catch_up_to: to, catch_up_done: done } = row;
    const left =
      from === null || to === null ? [] : tradingDays(from, to).filter((day) => day > (done ?? ''));
    const due = await source
      .due({
        ...{ market, now, isDone, hasFailed, isResting },
        hasBrought: (digest) => fetches.hasBrought(source.name, digest),
      })
      .catch((error: unknown) => {
        if (left.length > 0 && error instanceof SourceFailure) return [];
        throw error;
      });
    // A file that brought another's content is due while it is there.
    const doubted = source.hasDays ? [...histories].filter(([, { isDoubted }]) => isDoubted) : [];
    const wanted = [...new Set([...doubted.map(([subject]) => subject), ...due])];
    const ready = wanted.filter((subject) => !isResting(subject));
    const isCatchUp = ready.length === 0 && left.length > 0;
    const resting = wanted.find(isResting);
    return {
      subjects: (isCatchUp ? left : ready).slice(0, MAX_BATCH),
      isCatchUp,
      lastOfSpan: left.at(-1),
      waitsFor: resting === undefined ? undefined : { subject: resting, until: restsUntil(resting) },
    };
  }

  async #bring(
    source: Source,
    claim: Claim,
    { plan, market, signal }: { plan: Plan; market: MarketState; signal: AbortSignal },
  ): Promise<Finding> {
    const { fetches, publisher } = this.#deps;
    const logged: Logged[] = [];
    let failure: { of: SourceFailure; subject: Subject } | undefined;
    const budget = source.requestsPerDay - (await this.#requestsToday(source));
    let asked = 0;
    for (const subject of plan.subjects) {
      if (asked >= budget) {
        failure = { of: budgetSpent(source), subject };
        break;
      }
      asked++;
      const id = await fetches.begin(source.name, subject, this.#inMs(0));
      try {
        const delivery = await source.fetch(subject, signal);
        await fetches.received(id, delivery);
        const taken = await this.#refuseRepeated(source, { subject, delivery }, logged);
        if (taken) failure = { of: taken.failure, subject: taken.subject };
        logged.push({
          id,
          subject,
          delivery,
          comparison: await this.#compared(source, subject, { delivery, market }),
        });
      } catch (error) {
        const of = failureOf(error);
        failure = { of, subject };
        await fetches.failed([id], of, this.#inMs(0));
        if (!OF_SUBJECT.includes(of.problem)) break;
      }
    }
    const done = plan.isCatchUp ? plan.subjects[asked - 1] : undefined;
    const published =
      logged.length > 0 ? await this.#publish(source, logged, market, { publisher, signal }) : undefined;
    const caughtUp = done === undefined ? {} : { catch_up_done: done, isCaughtUp: done === plan.lastOfSpan };
    const brought = published === undefined ? {} : { last_day: newest(claim.row.last_day, logged) };
    if (published && !published.unchanged) Object.assign(brought, { last_published_at: this.#inMs(0) });
    if (failure && (!plan.isCatchUp || !OF_SUBJECT.includes(failure.of.problem)))
      return { ...this.#failed(claim, failure.of, failure.subject), ...brought };
    return { ...brought, ...caughtUp, ...stillFailing(claim, plan), next_attempt_at: this.#inMs(0) };
  }

  async #publish(
    source: Source,
    logged: Logged[],
    market: MarketState,
    { publisher, signal }: { publisher: DatasetPublisher; signal: AbortSignal },
  ): Promise<ImportOutcome> {
    const { fetches, onPublished, log } = this.#deps;
    const ids = logged.map(({ id }) => id);
    let outcome: ImportOutcome;
    try {
      outcome = await source.publish(logged, { publisher, market, signal });
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
  ): Promise<{ subject: Subject; failure: SourceFailure } | undefined> {
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

  #failed({ row }: Claim, failure: SourceFailure, subject: Subject | null): Finding {
    const failures = row.failures + 1;
    const isOfSubject = OF_SUBJECT.includes(failure.problem);
    const pauseMs = failure.retryAfterMs ?? (isOfSubject ? 0 : pauseAfter(failures));
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

/** Bounds the pauses between attempts: 15 s after the first failure, doubled each time up to 15 min. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LAST_PAUSE_MS);
}

/**
 * When a subject may be asked for again. An operator who asks ends every rest. A file gets no better by itself as a day of a site
 * does: it rests for a day if its content was wrong, and longer and longer up to a day if the importer refused it.
 * @param sameSince since when a file has its content; undefined if the subject is no file
 */
function restOf(history: SubjectHistory | undefined, askedAt: Date | null, sameSince?: Date): Date {
  if (!history?.lastEndedAt || history.failures === 0) return new Date(0);
  const { lastEndedAt, problem, failures } = history;
  if (askedAt !== null && lastEndedAt <= askedAt) return new Date(0);
  if (sameSince === undefined) return new Date(lastEndedAt.getTime() + pauseAfter(failures));
  if (sameSince > lastEndedAt) return new Date(0);
  if (OF_CONTENT.includes(problem)) return new Date(lastEndedAt.getTime() + DAY_MS);
  const refused = Math.min(LAST_PAUSE_MS * 2 ** (failures - 1), DAY_MS);
  return new Date(lastEndedAt.getTime() + (problem === 'refused' ? refused : pauseAfter(failures)));
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

/** What the importer says about an upload, in words. */
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
