import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import { joined, Localised } from '#foundation/text/localised.ts';

/** Why days are missing, as a word for programs, and the source that should bring them. */
export type FoundCause =
  | { word: 'stands_still' | 'no_feed' | 'no_source'; source?: undefined }
  | { word: 'failing' | 'paused' | 'fetching' | 'waiting'; source: SourceState };

/** For people who use an application: they can do nothing about it, and details of sources are not for them. */
const REASONS: Readonly<Record<FoundCause['word'], Localised>> = {
  stands_still: new Localised('Pasar buatan ini tidak berlanjut.', 'This generated market does not go on.'),
  no_feed: new Localised(
    'Layanan yang mengambil data baru tidak berjalan.',
    'The service that fetches new data does not run.',
  ),
  no_source: new Localised(
    'Tidak ada sumber yang membawa data baru dengan sendirinya.',
    'No source brings new data by itself.',
  ),
  failing: new Localised('Sumber data sedang gagal.', 'The source of the data is failing.'),
  paused: new Localised('Pengambilan data sedang dihentikan sementara.', 'Fetching the data is paused.'),
  fetching: new Localised('Data sedang diambil.', 'The data is being fetched.'),
  waiting: new Localised('Sumber data belum menerbitkannya.', 'The source has not published it yet.'),
};

const MAY_BE_CLOSED = new Localised(
  'Bursa mungkin libur pada salah satu hari itu: kalender tahunnya belum diketahui.',
  'The exchange may be closed on one of these days: the calendar of its year is not known yet.',
);

const ADVICE: Readonly<Record<FoundCause['word'], (name: string, reason: string) => string>> = {
  stands_still: () =>
    'It goes on if the generator made all of it and GENERATED_MARKET_PACE is calendar or accelerated. Or import a real market: saring dataset import FILE.',
  no_feed: () =>
    'No feed has been heard for 15 seconds. Start the service feed; if it runs, saring logs feed shows why it does not work.',
  no_source: () =>
    'The feed has no source of such days. Declare one in FEED_SOURCES, or add the days: saring dataset import FILE --add.',
  failing: (name, reason) => `The source ${name} fails${reason} See: saring feed log --source ${name}.`,
  paused: (name, reason) => `The source ${name} is paused${reason} To go on: saring feed resume ${name}.`,
  fetching: (name) => `The source ${name} is bringing the data.`,
  waiting: (name, reason) => `The source ${name} waits${reason} To ask it now: saring feed run ${name}.`,
};

/**
 * Why days are missing, for people, and what operators can do about it.
 * @param mayBeClosed whether a missing day is only assumed to be a trading day
 */
export function reasonOf(
  { word, source }: FoundCause,
  mayBeClosed: boolean,
): { reason: Localised; advice: string } {
  const why = source?.reason ? `: ${source.reason.replace(/[.\s]+$/, '')}.` : '.';
  return {
    reason: joined([REASONS[word], mayBeClosed ? MAY_BE_CLOSED : undefined]),
    advice: ADVICE[word](source?.name ?? '', why),
  };
}
