import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import type { DataFile } from './data-file.ts';
import type { Delivered, Publication } from './source.ts';

/** Publishes files in one upload that adds to the served market, or replaces rows of it. */
export function publishFiles(
  source: string,
  deliveries: readonly Delivered[],
  files: DataFile[],
  assumed: BrokerAssumptions,
  { publisher, market, signal }: Publication,
): Promise<ImportOutcome> {
  const header = {
    source: `${source}: ${changesOf(deliveries)}`.slice(0, MAX_SOURCE_LENGTH),
    kind: 'real',
    // Without a real market to add to, which only a span to catch up allows, the days begin one.
    adds: market.kind === 'real',
    synthesize_brokers: false,
    broker_unit: assumed.unit,
    broker_mode: assumed.mode,
    may_shrink: false,
    newest_first: true,
  };
  return publisher.files(files, header, signal);
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

/** As the importer allows. */
const MAX_SOURCE_LENGTH = 200;
