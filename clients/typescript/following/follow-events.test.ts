import { expect, test } from 'vitest';
import { CallLimit } from '../transport/call-limit.ts';
import { followEvents, type Followed, type MissedEvents } from './follow-events.ts';
import { dropped, ownScriptedServer, refusal, type Reply } from '../testing/scripted-server.ts';

const server = ownScriptedServer();

const event = (sequence: number) => ({ id: `evt_${sequence}`, type: 'run.succeeded', sequence, data: {} });

/** Streams these texts, and then breaks off. */
const stream =
  (...texts: string[]): Reply =>
  (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    res.write(texts.map((text) => `${text}\n\n`).join(''), () => res.destroy());
  };
const told = (sequence: number) => `id: ${sequence}\nevent: event\ndata: ${JSON.stringify(event(sequence))}`;

async function take(count: number, followed: Followed = {}, silenceMs = 20_000): Promise<number[]> {
  const limit = new CallLimit(20_000, undefined);
  const seen: number[] = [];
  for await (const { sequence } of followEvents(server.client().rest, followed, limit, {
    reconnectAfterMs: 10,
    silenceMs,
  })) {
    seen.push(sequence);
    if (seen.length === count) break;
  }
  return seen;
}
const asked = () => server.received.map(({ url }) => url.replace('/api/v1/events', ''));

test('a stream that breaks off goes on after the last event, and yields each once', async () => {
  server.script(stream(told(8), told(9)), dropped, refusal(503, 'data_unavailable'), stream(told(10)));
  expect(await take(3, { after: 7, types: ['run.succeeded', 'run.failed'] })).toEqual([8, 9, 10]);
  const types = '?types=run.succeeded%2Crun.failed&after=';
  expect(asked().map(decodeURIComponent)).toEqual(
    [7, 9, 9, 9].map((at) => decodeURIComponent(`${types}${at}`)),
  );
  expect(server.received[0]!.headers.accept).toBe('text/event-stream');
});

test('a stream from now on that breaks off before its first event goes on from where it began', async () => {
  server.script(stream('id: 41', ': heartbeat'), stream('id: 41', told(42)));
  expect(await take(1)).toEqual([42]);
  expect(asked()).toEqual(['', '?after=41']);
});

test('a reader learns when a stream is open, after which event it tells, and when it is lost', async () => {
  server.script(stream('id: 41'), dropped, stream('id: 41', told(42)), stream(told(43)));
  const states: (number | 'lost')[] = [];
  const onOpen = (after: number) => states.push(after);
  const onLost = () => states.push('lost');
  expect(await take(2, { onOpen, onLost })).toEqual([42, 43]);
  expect(states).toEqual([41, 'lost', 41, 'lost', 42]);
});

test('events that nobody can read any more are reported', async () => {
  const missed: MissedEvents[] = [];
  const gap = { first_sequence: 3, last_sequence: 5 };
  server.script(stream(`id: 5\nevent: missed\ndata: ${JSON.stringify(gap)}`, told(6)));
  expect(await take(1, { after: 2, onMissed: (numbers) => missed.push(numbers) })).toEqual([6]);
  expect(missed).toEqual([gap]);
});

test('a silent stream is opened again', async () => {
  const silent: Reply = (res) =>
    void res.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  server.script(silent, stream(told(1)));
  expect(await take(1, { after: 0 }, 100)).toEqual([1]);
});
