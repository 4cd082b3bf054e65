import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import type { DeclaredSourceOptions } from './declared-source.ts';
import type { DataFile } from '../deliveries/delivery.ts';
import type { MarketState } from '../market/served-market.ts';
import type { Delivered, Subject } from '../deliveries/delivery.ts';
import type { Publication } from './source.ts';

/** Publishes files in one upload that adds to the served market, or replaces rows of it. */
export function publishFiles(
  {
    name,
    assumed,
    rank,
    recheckDays,
  }: Pick<DeclaredSourceOptions, 'name' | 'assumed' | 'rank' | 'recheckDays'>,
  deliveries: readonly Delivered[],
  files: DataFile[],
  { publisher, market, retrievedAt, signal }: Publication,
): Promise<ImportOutcome> {
  const header = {
    source: `${name}: ${changesOf(deliveries)}`.slice(0, MAX_SOURCE_LENGTH),
    kind: 'real',
    // Without a real market to add to, which only a span to catch up allows, the days begin one.
    adds: market.kind === 'real',
    synthesize_brokers: false,
    broker_unit: assumed.unit,
    broker_mode: assumed.mode,
    may_shrink: false,
    newest_first: true,
    retrieved_at: retrievedAt,
    rank,
    source_name: name,
    ...restatedSpan(market, recheckDays, deliveries),
  };
  return publisher.files(files, header, signal);
}

/** The newest days of the market, and those that the source was asked for although they are there, or are before its first. */
function restatedSpan({ days }: MarketState, recheckDays: number, deliveries: readonly Delivered[]) {
  const served = new Set(days);
  const isAskedAgain = (subject: Subject) =>
    served.has(subject) || (isCalendarDay(subject) && subject < (days[0] ?? ''));
  const asked = deliveries.map(({ subject }) => subject).filter(isAskedAgain);
  const span = [...asked, ...(recheckDays === 0 ? [] : days.slice(-recheckDays))].toSorted();
  return span.length === 0 ? {} : { restates_from: span[0], restates_to: span.at(-1) };
}

/** What an upload changes, in words: by this the version says what was new and what was corrected in it. */
function changesOf(deliveries: readonly Delivered[]): string {
  const subjectsOf = (wanted: Delivered['comparison']) =>
    deliveries.filter(({ comparison }) => comparison === wanted).map(({ subject }) => subject);
  const [fresh, corrected] = [subjectsOf(undefined), subjectsOf('corrected')];
  const corrections = corrected.length > 0 ? [`correction of ${corrected.join(', ')}`] : [];
  const changes = [...(fresh.length > 0 ? [spanOf(fresh)] : []), ...corrections].join(', ');
  return changes === '' ? spanOf(subjectsOf('same')) : changes;
}

function spanOf(subjects: string[]): string {
  return subjects.length > 1 ? `${subjects[0]} to ${subjects.at(-1)}` : subjects[0]!;
}

/** The limit of the importer. */
const MAX_SOURCE_LENGTH = 200;
