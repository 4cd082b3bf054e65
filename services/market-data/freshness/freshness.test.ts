import { describe, expect, test } from 'vitest';
import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR, TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { MarketPace } from '#platform/configuration/settings.ts';
import { MarketFreshness } from './freshness.ts';

const DAY_MS = 10_000;
const at = (jakarta: string) => new Date(`${jakarta}+07:00`);
const STARTED = at('2026-11-24T00:00');

const datasetUpTo = (last_date: string) =>
  ({ kind: 'real', last_date, missing_days: [] as string[] }) as Dataset;
const generatedUpTo = (last_date: string, published_at?: Date) =>
  ({ kind: 'synthetic', generated: {}, last_date, published_at, missing_days: [] as string[] }) as Dataset;

interface Surroundings {
  pace?: MarketPace;
  sources?: SourceState[] | 'none';
  calendar?: TradingCalendar;
}

/** Judges markets at moments that the test sets. */
function judge({ pace = 'off', sources, calendar = IDX_CALENDAR }: Surroundings = {}) {
  let now = STARTED;
  const freshness = new MarketFreshness({
    calendar,
    clock: () => now,
    pace,
    syntheticDayMs: DAY_MS,
    feed: { sources: () => sources },
  });
  return (dataset: Dataset, moment: Date) => {
    now = moment;
    return freshness.of(dataset);
  };
}

const source = (state: string, format = 'idx_summary', reason?: string): SourceState => ({
  name: 'summary',
  format,
  state,
  reason,
});

describe('a real market', () => {
  const monday = datasetUpTo('2026-11-23');

  test('is behind from the moment a day is due, and late two hours later', () => {
    const of = judge({ sources: 'none' });
    expect(of(monday, at('2026-11-24T18:34'))).toEqual({
      data_as_of: '2026-11-23',
      expected_as_of: '2026-11-23',
      behind_trading_days: 0,
      is_late: false,
      missing_days: [],
      missing_day_count: 0,
    });
    expect(of(monday, at('2026-11-24T18:35'))).toMatchObject({
      expected_as_of: '2026-11-24',
      behind_trading_days: 1,
      is_late: false,
      behind_since: at('2026-11-24T18:35'),
    });
    expect(of(monday, at('2026-11-24T20:35'))).toMatchObject({ behind_trading_days: 1, is_late: true });
  });

  test('counts trading days, not calendar days, from the first that is missing', () => {
    // Closed from Thursday the 24th to Sunday the 27th.
    const of = judge({ sources: 'none' });
    expect(of(datasetUpTo('2026-12-22'), at('2026-12-28T19:00'))).toMatchObject({
      expected_as_of: '2026-12-28',
      behind_trading_days: 2,
      behind_since: at('2026-12-23T18:35'),
    });
  });

  test('tells the days without any row inside it, of many the newest ten, and is not behind for them', () => {
    const missing_days = IDX_CALENDAR.tradingDays('2026-11-02', '2026-11-17');
    const of = judge({ sources: 'none' });
    expect(of({ ...monday, missing_days }, at('2026-11-24T18:00'))).toMatchObject({
      behind_trading_days: 0,
      missing_days: missing_days.slice(2),
      missing_day_count: 12,
    });
  });

  test('wants the closures of the next year from 1 December in Jakarta, and those of a year that has begun', () => {
    const yearAt = (moment: Date, years: number[]) => {
      const calendar = new TradingCalendar({ ...IDX_CALENDAR.facts, listedYears: years });
      return judge({ calendar })(monday, moment).unlisted_year;
    };
    const eve = at('2026-11-30T23:59');
    const december = at('2026-12-01T00:00');
    expect([yearAt(eve, [2026]), yearAt(december, [2026]), yearAt(december, [2026, 2027])]).toEqual([
      undefined,
      2027,
      undefined,
    ]);
    expect([yearAt(eve, []), yearAt(december, [2025]), yearAt(at('2027-01-04T09:00'), [2026])]).toEqual([
      2026, 2026, 2027,
    ]);
    expect(judge()(generatedUpTo('2026-11-30'), december).unlisted_year).toBeUndefined();
  });

  test('counts by the calendar of a file', () => {
    const closed = { ...IDX_CALENDAR.facts.closures, '2026-11-24': 'a day of mourning' };
    const calendar = new TradingCalendar({ ...IDX_CALENDAR.facts, closures: closed });
    expect(judge({ calendar })(monday, at('2026-11-24T23:00')).behind_trading_days).toBe(0);
  });

  test('says that a missing day may be a holiday while the calendar does not know its year', () => {
    const of = judge({ sources: 'none' });
    const { reason_english } = of(datasetUpTo('2026-12-30'), at('2027-01-01T23:00'));
    expect(reason_english).toContain('The exchange may be closed on one of these days');
    expect(of(monday, at('2026-11-24T23:00')).reason_english).not.toContain('may be closed');
  });

  const late = at('2026-11-24T23:00');

  test.each<[what: string, Surroundings['sources'], cause: string | undefined, advice: RegExp]>([
    ['before the feed is heard', undefined, undefined, /^undefined$/],
    ['without a feed', 'none', 'no_feed', /Start the service feed/],
    ['without a source', [], 'no_source', /FEED_SOURCES/],
    ['with a source of another market', [source('idle', 'generator')], 'no_source', /FEED_SOURCES/],
    [
      'with a source that fails',
      [source('waiting'), source('failing', 'mapping', 'It answered 403.')],
      'failing',
      /summary fails: It answered 403\. /,
    ],
    ['with a paused source', [source('paused')], 'paused', /saring feed resume summary/],
    ['with a source that is asked', [source('fetching')], 'fetching', /summary is bringing/],
    ['with a source that waits', [source('waiting')], 'waiting', /summary waits\. /],
    ['with a source that finds nothing due', [source('idle')], 'waiting', /saring feed run summary/],
  ])('%s says so', (_, sources, cause, advice) => {
    const found = judge(sources === undefined ? {} : { sources })(monday, late);
    expect(found.cause).toBe(cause);
    expect(String(found.advice)).toMatch(advice);
    expect([found.reason, found.reason_english].map((text) => typeof text)).toEqual(
      cause === undefined ? ['undefined', 'undefined'] : ['string', 'string'],
    );
  });

  test('keeps what a source reports from applications', () => {
    const sources = [source('failing', 'idx_summary', 'https://internal answered 403.')];
    const { reason, reason_english } = judge({ sources })(monday, late);
    expect(`${reason} ${reason_english}`).not.toContain('internal');
  });
});

describe('a generated market', () => {
  const generated = (published_at?: Date) => generatedUpTo('2020-12-30', published_at);

  test('that does not go on says so, and counts by the calendar', () => {
    expect(judge()(generatedUpTo('2026-11-23'), at('2026-11-24T21:00'))).toMatchObject({
      expected_as_of: '2026-11-24',
      behind_trading_days: 1,
      is_late: true,
      cause: 'stands_still',
    });
  });

  test('that came from files cannot go on, and says so at any pace', () => {
    const { generated: _, ...fromFiles } = generatedUpTo('2026-11-23');
    const moment = at('2026-11-24T21:00');
    for (const pace of ['calendar', 'accelerated'] as const)
      expect(judge({ pace, sources: [] })(fromFiles as Dataset, moment)).toMatchObject({
        behind_trading_days: 1,
        cause: 'stands_still',
      });
  });

  test('on the calendar is behind as a real one is, and names the generator', () => {
    const of = judge({ pace: 'calendar', sources: [source('fetching', 'generator'), source('failing')] });
    expect(of(generatedUpTo('2026-11-23'), at('2026-11-24T18:40'))).toMatchObject({
      behind_trading_days: 1,
      cause: 'fetching',
    });
  });

  test('at an accelerated pace lacks a day when the next one begins, and is late from the third', () => {
    const of = judge({ pace: 'accelerated', sources: 'none' });
    const published = new Date(STARTED.getTime() + 60_000);
    const after = (ms: number) => of(generated(published), new Date(published.getTime() + ms));
    expect(after(2 * DAY_MS - 1)).toEqual({
      data_as_of: '2020-12-30',
      expected_as_of: '2020-12-30',
      behind_trading_days: 0,
      is_late: false,
      missing_days: [],
      missing_day_count: 0,
    });
    expect(after(2 * DAY_MS)).toMatchObject({
      expected_as_of: '2021-01-04',
      behind_trading_days: 1,
      is_late: false,
      behind_since: new Date(published.getTime() + 2 * DAY_MS),
      cause: 'no_feed',
    });
    expect(after(3 * DAY_MS)).toMatchObject({ behind_trading_days: 2, is_late: false });
    expect(after(4 * DAY_MS)).toMatchObject({ behind_trading_days: 3, is_late: true });
  });

  test('at an accelerated pace lacks nothing for the time in which nothing ran', () => {
    const of = judge({ pace: 'accelerated' });
    const longAgo = new Date(STARTED.getTime() - 1_000 * DAY_MS);
    expect(of(generated(longAgo), STARTED).behind_trading_days).toBe(0);
  });

  test('at an accelerated pace never lacks a day that the exchange has not had', () => {
    const of = judge({ pace: 'accelerated', sources: [] });
    const nearToday = generatedUpTo('2026-11-20', STARTED);
    expect(of(nearToday, new Date(STARTED.getTime() + 100 * DAY_MS))).toMatchObject({
      expected_as_of: '2026-11-23',
      behind_trading_days: 1,
      is_late: false,
    });
  });
});
