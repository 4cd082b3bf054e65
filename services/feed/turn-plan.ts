import { DAY_MS } from '#foundation/iso-day.ts';
import { jakartaDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import type { Subject } from './deliveries/delivery.ts';
import { SourceFailure, type Problem } from './deliveries/source-failure.ts';
import { isPartial, type MarketState } from './market/served-market.ts';
import type { DueRequest, Source } from './sources/source.ts';
import type { FetchStore, SubjectHistory } from './store/fetch-store.ts';
import type { SourceRow } from './store/source-store.ts';

/** Days that arrive together become one version: each version costs workers what they train on it. */
const MAX_BATCH = 20;
/** Pauses after a failure: the first, doubled each time up to the last. */
const FIRST_PAUSE_MS = 15_000;
const LAST_PAUSE_MS = 900_000;

/** What is wrong in a file itself, which stays wrong until somebody changes the file. */
const OF_CONTENT: readonly (Problem | null)[] = ['changed_shape', 'truncated', 'too_large'];

export interface Plan {
  subjects: Subject[];
  /** Whether they are of the span that an operator asked for. */
  isCatchUp: boolean;
  lastOfSpan: string | undefined;
  /** A subject that is due and rests after a failure. */
  waitsFor?: { subject: Subject; until: Date } | undefined;
}

export const NOTHING_PLANNED: Plan = { subjects: [], isCatchUp: false, lastOfSpan: undefined };

interface PlanDependencies {
  fetches: FetchStore;
  tradingDays: (from: string, to: string) => string[];
}

/** What is due comes first, then the span that an operator asked for, both oldest first. */
export async function planTurn(
  { fetches, tradingDays }: PlanDependencies,
  source: Source,
  { row, market, now }: { row: SourceRow; market: MarketState; now: Date },
): Promise<Plan> {
  const histories = await fetches.histories(source.name);
  const restsUntil = (subject: Subject) => {
    const history = histories.get(subject);
    return isPartial(market, subject)
      ? restOfPartial(history, row.asked_at)
      : restOf(history, row.asked_at, source.sameSince?.(subject));
  };
  const isResting = (subject: Subject) => restsUntil(subject) > now;
  const left = daysToCatchUp(row, tradingDays);
  const due = await source
    .due({
      ...{ market, now, isResting, lastDay: row.last_day ?? undefined },
      ...judgementsBy(histories, now),
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

/** The days of the span that an operator asked for and that were not asked for yet. */
function daysToCatchUp(
  { catch_up_from: from, catch_up_to: to, catch_up_done: done }: SourceRow,
  tradingDays: PlanDependencies['tradingDays'],
): string[] {
  if (from === null || to === null) return [];
  return tradingDays(from, to).filter((day) => day > (done ?? ''));
}

function judgementsBy(
  histories: ReadonlyMap<Subject, SubjectHistory>,
  now: Date,
): Pick<DueRequest, 'isDone' | 'wasAsked' | 'hasFailed'> {
  const today = startOfJakartaDay(jakartaDay(now));
  return {
    isDone: (subject) => (histories.get(subject)?.lastSuccessAt ?? 0) >= today,
    wasAsked: (subject) => (histories.get(subject)?.lastEndedAt ?? 0) >= today,
    hasFailed: (subject) => (histories.get(subject)?.failures ?? 0) > 0,
  };
}

/** Bounds the pauses between attempts: 15 s after the first failure, doubled each time up to 15 min. */
export function pauseAfter(failures: number): number {
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

/** A partial day is asked for until it is whole, each time after the longest rest that a failure can have. */
function restOfPartial(history: SubjectHistory | undefined, askedAt: Date | null): Date {
  const endedAt = history?.lastEndedAt;
  if (!endedAt || (askedAt !== null && endedAt <= askedAt)) return new Date(0);
  return new Date(endedAt.getTime() + LAST_PAUSE_MS);
}
