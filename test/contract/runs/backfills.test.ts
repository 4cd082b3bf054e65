import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { untilEnded, type BackfillBody } from '#support/rest/backfills.ts';
import { submitRunOf } from '#support/rest/jobs.ts';

const MODEL = 'confluence_filter';
const options = { endUser: 'historian' };

const tenant = ownTenant();
/** Trading days, ascending. */
let days: string[];
beforeAll(async () => {
  const { rest } = tenant;
  const flows = await rest.get<{ items: { ticker: string }[] }>('/api/v1/data/nego/window?min_val=0');
  const stock = await rest.get<{ ohlcv: { date: string }[] }>(
    `/api/v1/data/stocks/${flows.body.items[0]!.ticker}?days=120`,
  );
  days = stock.body.ohlcv.map(({ date }) => date).toSorted();
});

const start = (body: object, sent: object = options, model = MODEL) =>
  tenant.rest.post<BackfillBody>(`/api/v1/models/${model}/backfills`, body, sent);
const cancel = (id: string) =>
  tenant.rest.send<BackfillBody>(`/api/v1/backfills/${id}/cancel`, { method: 'POST' });

test('a backfill runs the model as of each day, and each page equals the run of that day', async () => {
  const { rest } = tenant;
  const [from, to] = [days.at(-5)!, days.at(-1)!];
  const { status, body: begun } = await start({ from, to, step: 'day', params: { min_price: 50 } });
  expect(status).toBe(202);
  expect(begun).toMatchObject({ status: 'running', from, to, days_done: 0, is_history: true });
  const ended = await untilEnded(rest, begun.backfill_id);
  expect(ended).toMatchObject({ status: 'succeeded', days_failed: 0, days_done: ended.days_total });
  const first = await rest.get<Schemas['BackfillPages']>(`${String(ended['pages_url'])}?limit=2`);
  const others = await rest.get<Schemas['BackfillPages']>(
    first.body.next_url!.replace('limit=2', 'limit=20'),
  );
  expect([first.body.pages.length, others.body.next_url]).toEqual([2, null]);
  const pages = [...first.body.pages, ...others.body.pages];
  expect(pages.map(({ as_of }) => as_of)).toEqual(days.slice(-5));
  for (const page of pages) {
    expect(page).toMatchObject({ status: 'succeeded', is_history: true, result: { as_of: page.as_of } });
    const job = await submitRunOf(rest, MODEL, { min_price: 50, analysis_date: page.as_of }, '?wait=30');
    expect(withoutTimings(page.result)).toEqual(withoutTimings(job['result']));
  }
});

function withoutTimings(result: unknown): unknown {
  const { diag, ...others } = result as { diag: { timings_ms: unknown } };
  const { timings_ms: _, ...remaining } = diag;
  return { ...others, diag: remaining };
}

test('a wrong request is refused with the location of the mistake', async () => {
  const day = days.at(-1)!;
  const detailOf = async (body: object) =>
    (await start(body)).body['detail'] as { loc: (string | number)[]; type: string }[] | undefined;
  expect((await detailOf({ from: day }))?.[0]?.loc).toEqual(['body', 'to']);
  expect((await detailOf({ from: '1901-01-01', to: '1901-02-01' }))?.[0]?.loc).toEqual(['body', 'from']);
  expect((await detailOf({ from: day, to: day, step: 'hour' }))?.[0]?.loc).toEqual(['body', 'step']);
  const withDate = { from: day, to: day, params: { analysis_date: day } };
  expect((await detailOf(withDate))?.[0]?.loc).toEqual(['body', 'params', 'analysis_date']);
  const unknown = { from: day, to: day, params: { no_such: 1 } };
  expect((await detailOf(unknown))?.[0]?.loc).toEqual(['body', 'params', 'no_such']);
});

describe('a running backfill', () => {
  test('can be cancelled at once, keeps its pages, and makes room for another', async () => {
    const span = { from: days[0]!, to: days.at(-1)!, step: 'day' };
    // With a model that trains for each day, so that it is slow.
    const begin = () => start(span, options, 'model_f_combined');
    const begun = [await begin(), await begin()];
    expect(begun.map(({ status, body }) => [status, body['error']])).toEqual([
      [202, undefined],
      [202, undefined],
    ]);
    const ids = begun.map(({ body }) => body.backfill_id);
    const third = await begin();
    expect([third.status, third.body['error']]).toEqual([
      429,
      expect.objectContaining({ code: 'rate_limited' }),
    ]);
    for (const id of ids) {
      const { body } = await cancel(id);
      expect(body).toMatchObject({ backfill_id: id, status: 'failed' });
      const { body: again } = await cancel(id);
      expect(again).toEqual(body);
    }
    const { body: next } = await start({ from: days.at(-1)!, to: days.at(-1)! });
    expect(await untilEnded(tenant.rest, next.backfill_id)).toMatchObject({ status: 'succeeded' });
  });

  test('creates no usage event', async () => {
    const { rest } = tenant;
    const { body } = await start({ from: days.at(-1)!, to: days.at(-1)! }, { endUser: 'history-only' });
    await untilEnded(rest, body.backfill_id);
    const events = await rest.get<{ events: unknown[] }>('/api/v1/usage/events?end_user=history-only');
    expect(events.body.events).toEqual([]);
  });
});
