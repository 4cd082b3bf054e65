import { expect, test } from 'vitest';
import type { ListPastPicksRequest } from '#proto/saring/models/v1/backfills.ts';
import { lastOfEach } from '#shared/market/last-of-each.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { noTestMarket } from '#support/services/no-test-market.ts';
import type { SpanDates } from '../analysis-day/analysis-date.ts';
import { PastPicks } from './past-picks.ts';

/** Monday to Friday of ten weeks. */
const DAYS = Array.from({ length: 70 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)))
  .filter((day) => day.getUTCDay() % 6 !== 0)
  .map((day) => day.toISOString().slice(0, 10));
const MODEL = 'confluence_filter';
/** With positions that are held for five days and wait for a bid for five more. */
const HELD = 5;
const LAST_DECIDED = DAYS.at(-11)!;

/** Asks a key whose only finished backfill has these days, each with the three picks A, B and C. */
async function askedOf(covered: readonly string[], request: Partial<ListPastPicksRequest>, pin = '') {
  const tradingDays = {
    between: (from: string, to: string) => DAYS.filter((day) => day >= from && day <= to),
    span: { first: DAYS[0]!, last: DAYS.at(-1)! },
  };
  const store = {
    findCovering: async (_of: object, days: readonly string[]) =>
      days.every((day) => covered.includes(day)) ? 'bf_0' : undefined,
    tickersOf: async (_id: string, days: readonly string[]) =>
      days.map((as_of) => ({ as_of, tickers: ['A', 'B', 'C'] })),
  };
  const dates = { tradingDays, pin } as unknown as SpanDates;
  const pastPicks = new PastPicks({ store, dates, testDays: noTestMarket });
  const asked = { api_key_id: 'key_0', model_id: MODEL, params: undefined, limit: undefined };
  const days = { from: undefined, to: undefined, step: undefined, horizon_days: undefined };
  return pastPicks.list({ ...asked, ...days, ...request });
}

async function mistakeOf(asked: Promise<unknown>) {
  const error = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof ServiceError)) throw new Error('nothing was refused');
  return { code: error.code, ...error.detail[0] };
}

const daysOf = ({ days }: { days: { as_of: string }[] }) => days.map(({ as_of }) => as_of);

test('a simulation gets the days of its span but the last, and as many picks of each as it can buy', async () => {
  const [from, to] = [DAYS[3]!, DAYS[12]!];
  const daily = await askedOf(DAYS, { from, to, step: 'day', limit: 2 });
  expect(daily).toMatchObject({ to, step: 'day', backfill_id: 'bf_0', params: { min_signals: 2 } });
  expect(daily.days).toEqual(DAYS.slice(3, 12).map((as_of) => ({ as_of, tickers: ['A', 'B'] })));
  const weekly = await askedOf(DAYS, { from, to, step: 'week', limit: 2 });
  expect(daysOf(weekly)).toEqual([DAYS[4], DAYS[9]]);
});

test('a past gets every day whose outcome is known, up to the newest where no last day is named', async () => {
  const past = await askedOf(DAYS, { from: DAYS[3]!, horizon_days: HELD });
  expect(past).toMatchObject({ step: 'day', to: DAYS.at(-1) });
  expect(daysOf(past)).toEqual(DAYS.slice(3, DAYS.indexOf(LAST_DECIDED) + 1));
  const pinned = await askedOf(DAYS, { from: DAYS[3]!, horizon_days: HELD }, DAYS[29]);
  expect(daysOf(pinned)).toEqual(DAYS.slice(3, 20));
  const early = await askedOf(DAYS, { from: DAYS[3]!, to: DAYS[7]!, horizon_days: HELD });
  expect(daysOf(early)).toEqual(DAYS.slice(3, 8));
});

test('a past gets the days of weeks where no backfill has every day, but none that only ends the span', async () => {
  const fridays = lastOfEach(DAYS, 'week');
  const past = await askedOf(fridays, { from: DAYS[3]!, to: DAYS[12]!, horizon_days: HELD });
  expect(past).toMatchObject({ step: 'week' });
  expect(daysOf(past)).toEqual([DAYS[4], DAYS[9]]);
});

test('what no backfill covers is refused with the body of one that would', async () => {
  const mistake = await mistakeOf(askedOf(DAYS.slice(5), { from: DAYS[0]!, horizon_days: HELD }));
  expect(mistake).toMatchObject({ code: 'invalid_request', loc: ['from'], input: DAYS[0] });
  expect(mistake.msg).toContain(`POST /api/v1/models/${MODEL}/backfills`);
  expect(mistake.ctx).toMatchObject({
    from: DAYS[0],
    to: LAST_DECIDED,
    step: 'day',
    params: { min_signals: 2 },
  });
  const again = await askedOf(DAYS, { ...mistake.ctx, horizon_days: HELD });
  expect(again.params).toEqual(mistake.ctx!['params']);
});

test('a span of which nothing can have come yet is not_found, and one without trading days invalid', async () => {
  const open = { from: DAYS.at(-5)!, horizon_days: HELD };
  expect((await mistakeOf(askedOf(DAYS, open))).code).toBe('not_found');
  const oneDay = { from: DAYS[3]!, to: DAYS[3]!, step: 'day' };
  expect((await mistakeOf(askedOf(DAYS, oneDay))).code).toBe('not_found');
  const before = { from: '1990-01-01', to: '1990-02-01', horizon_days: HELD };
  expect(await mistakeOf(askedOf(DAYS, before))).toMatchObject({ code: 'invalid_request', loc: ['from'] });
});
