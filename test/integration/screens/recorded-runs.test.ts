import { expect, test } from 'vitest';
import { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import { ownNats } from '#support/servers/own-nats.ts';
import { ALICE, BOB, testScreens } from '#support/services/test-screens.ts';

/** Runs of screens on their way to the usage ledger, without NATS and then with it. */

const own = testScreens({ '2024-06-28': { BBCA: 110, TLKM: 80 } });
const stream = ownNats();

const held = async () => {
  const { rows } = await own.database.query<{ message: Buffer }>(
    'select message from screens.outbox order by seq',
  );
  return rows.map(({ message }) => ScreenRunRecorded.decode(message));
};

const streamed = async () => (await stream.nats.jsm.streams.info('SCREEN_RUNS')).state.messages;

const preview = (user: typeof ALICE) =>
  own.screens.previewScreen(
    { ...user, rules: 'close > 100', universe: undefined, as_of: undefined, columns: [] },
    { requestId: 'req_of_preview' },
  );

test('screens are answered while NATS is unavailable, and each run is held and then published once', async () => {
  const screen = await own.create(ALICE, 'close > 100', { shared: true });
  expect(await own.run(screen, BOB)).toEqual(['BBCA']);
  await preview(ALICE);
  await expect.poll(held).toHaveLength(2);
  const [ofScreen, ofPreview] = await held();
  expect(ofScreen).toMatchObject({
    api_key_id: BOB.api_key_id,
    end_user: 'bob',
    kind: 'screen',
    screen_id: screen.screen_id,
    version: 1,
    as_of: '2024-06-28',
    matched: 1,
  });
  expect(ofPreview).toMatchObject({
    kind: 'preview',
    screen_id: '',
    version: 0,
    request_id: 'req_of_preview',
  });

  // A run whose acknowledgement was lost is in the stream already.
  await stream.nats.js.publish('screen_runs.ran', ScreenRunRecorded.encode(ofScreen!).finish(), {
    msgID: ofScreen!.event_id,
  });
  await own.stop();
  await own.start(1, { NATS_URL: stream.server.urlOf('screens') });
  await expect.poll(held).toEqual([]);
  expect(await streamed()).toBe(2);
  await preview(BOB);
  await expect.poll(streamed).toBe(3);
  expect(await held()).toEqual([]);
});

test('runs that NATS and the database refuse are kept, and recorded when one of them is back', async () => {
  const before = await streamed();
  await own.database.query('alter table screens.outbox rename to outbox_away');
  await stream.server.kill9();
  await preview(ALICE);
  await preview(BOB);
  expect((await own.database.query('select 1 from screens.outbox_away')).rows).toEqual([]);
  await own.database.query('alter table screens.outbox_away rename to outbox');
  await expect.poll(held).toHaveLength(2);
  expect(before).toBe(3);
});

test('a run that was answered is recorded even if the service is told to stop at once', async () => {
  const earlier = (await held()).length;
  await preview(ALICE);
  await own.stop();
  expect(await held()).toHaveLength(earlier + 1);
});
