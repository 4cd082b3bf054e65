import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import type { DataFile, Delivered, Subject } from '../deliveries/delivery.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Format } from '../formats/format.ts';
import type { SourceFormat } from '../formats/formats.ts';
import type { MarketState } from '../market/served-market.ts';
import type { Publication } from './source.ts';

/** The limit of the importer. */
const MAX_SOURCE_LENGTH = 200;
/** An import by an operator is noticed within this time. */
const LOOK_AGAIN_MS = 60_000;

export interface DeclaredSourceOptions {
  name: string;
  format: SourceFormat;
  reader: Format;
  requestsPerDay: number;
  maxBytes: number;
  assumed: BrokerAssumptions;
  /** How many of the newest served days it may restate. */
  recheckDays: number;
  /** Its place among the declared sources: what those before it said stays. */
  rank: number;
  isBrokerRows: boolean;
}

/** What the sources that an operator declares have in common. */
export class DeclaredSource<Options extends DeclaredSourceOptions> {
  readonly name: string;
  readonly format: SourceFormat;
  readonly origin: string;
  readonly requestsPerDay: number;
  readonly hasBars: boolean;
  protected readonly options: Options;

  constructor(options: Options, origin: string) {
    this.name = options.name;
    this.format = options.format;
    this.origin = origin;
    this.requestsPerDay = options.requestsPerDay;
    this.hasBars = !options.isBrokerRows;
    this.options = options;
  }

  /**
   * Sources add days to a real market. Real days among generated ones, or a market of one day, would be neither.
   * @throws SourceFailure refused unless a real market is served
   */
  protected requireRealMarket({ version, kind }: MarketState): void {
    if (version !== '' && kind === 'real') return;
    const served = version === '' ? 'No market is served' : 'The served market is synthetic';
    throw new SourceFailure(
      'refused',
      `${served}, so this source has nothing to add to. Import real data first (saring dataset import), or catch up a span: saring feed run ${this.name} --from YYYY-MM-DD.`,
      { retryAfterMs: LOOK_AGAIN_MS },
    );
  }

  /** Publishes files in one upload that adds to the served market, or replaces rows of it. */
  protected publishFiles(
    deliveries: readonly Delivered[],
    files: DataFile[],
    { publisher, market, retrievedAt, signal }: Publication,
  ): Promise<ImportOutcome> {
    const { assumed, rank, recheckDays } = this.options;
    const header = {
      source: `${this.name}: ${changesOf(deliveries)}`.slice(0, MAX_SOURCE_LENGTH),
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
      source_name: this.name,
      ...restatedSpan(market, recheckDays, deliveries),
    };
    return publisher.files(files, header, signal);
  }
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
