import { expect, test } from 'vitest';
import { answer, ownScriptedServer, refusal } from './testing/scripted-server.ts';

const server = ownScriptedServer();
const page = (ids: number[], next: string | null) =>
  answer({
    events: ids.map((id) => ({ event_id: `ue_${id}` })),
    count: ids.length,
    next_cursor: next,
    has_more: next !== null,
  });

const script = () => server.script(page([5, 4], 'a b'), page([3, 2], 'c'), page([1], null));

test('iteration yields every event once and in order, with the same filters for every page', async () => {
  script();
  const seen: string[] = [];
  for await (const { event_id } of server.client().usage.events({ limit: 2, status: 'failed' }))
    seen.push(event_id);
  expect(seen).toEqual(['ue_5', 'ue_4', 'ue_3', 'ue_2', 'ue_1']);
  expect(server.received.map(({ url }) => url)).toEqual(
    ['', '&cursor=a%20b', '&cursor=c'].map((cursor) => `/api/v1/usage/events?limit=2&status=failed${cursor}`),
  );
});

test('a page is fetched only when it is reached, and none after the caller stops', async () => {
  script();
  const seen: string[] = [];
  for await (const { event_id } of server.client().usage.events()) {
    expect(server.received).toHaveLength(seen.length < 2 ? 1 : 2);
    seen.push(event_id);
    if (seen.length === 3) break;
  }
  expect(server.received).toHaveLength(2);
});

test('pages() yields whole pages, and first() fetches only the first one', async () => {
  script();
  const counts: number[] = [];
  for await (const { count } of server.client().usage.events().pages()) counts.push(count);
  expect(counts).toEqual([2, 2, 1]);
  script();
  expect(await server.client().usage.events().first()).toMatchObject({ count: 2, next_cursor: 'a b' });
  expect(server.received).toHaveLength(1);
});

test('a failed page ends the iteration with its error, after the events of earlier pages', async () => {
  server.script(page([5, 4], 'a'), refusal(422, 'invalid_cursor'));
  const seen: string[] = [];
  const reading = async () => {
    for await (const { event_id } of server.client().usage.events()) seen.push(event_id);
  };
  await expect(reading()).rejects.toMatchObject({ code: 'invalid_cursor' });
  expect(seen).toEqual(['ue_5', 'ue_4']);
});
