import { afterAll, beforeAll, expect, test } from 'vitest';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { ALICE, TestScreens } from '#support/services/test-screens.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

const servers = ownServers();
const CALL = { requestId: 'req_test' };
let proxy: TcpProxy;
let own: TestScreens;

beforeAll(async () => {
  proxy = await TcpProxy.start(servers.databaseUrl);
  own = new TestScreens({ databaseUrl: proxy.url });
  own.market.days = { '2024-07-01': { BBCA: 110 } };
  await own.market.start();
  await own.start(1);
});
afterAll(async () => {
  await own?.stop();
  await own?.database?.end();
  await own?.market.stop();
  proxy?.stop();
});

test.each(['cut', 'hold'] as const)(
  'while the connection to PostgreSQL is unavailable (%s), every call fails in time, and works again afterwards',
  async (how) => {
    const screen = await own.create(ALICE, 'close > 100');
    const calls = [
      () => own.create(ALICE, 'close > 100'),
      () => own.get(screen, ALICE),
      () => own.run(screen, ALICE),
      () => own.watch(ALICE, ['BBCA']),
      () => own.screens.listScreens({ ...ALICE, limit: 1 }, CALL),
      () => own.screens.deleteScreen({ screen_id: screen.screen_id, ...ALICE }, CALL),
    ];
    proxy[how]();
    const begunMs = performance.now();
    const outcomes = await Promise.allSettled(calls.map((call) => call()));
    expect(performance.now() - begunMs).toBeLessThan(HANGS_AFTER_MS);
    proxy.mend();
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'data_unavailable' } });
    await expect.poll(() => own.run(screen, ALICE).catch(String)).toEqual(['BBCA']);
  },
);
