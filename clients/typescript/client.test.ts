import { expect, test } from 'vitest';
import { routes } from '#gateway/routes/index.ts';
import { SaringClient } from './index.ts';

const BASE_URL = 'http://saring.test';

const EVENTS = new Response('data: {"status":"failed"}\n\n', {
  headers: { 'content-type': 'text/event-stream' },
});

/** Makes calls through a client and returns the method and the path of each request. */
async function requested(use: (client: SaringClient) => unknown): Promise<string> {
  const seen: string[] = [];
  const fetch = async ({ method, url }: Request) => {
    const { pathname } = new URL(url);
    seen.push(`${method.toLowerCase()} ${pathname}`);
    if (pathname === '/api/v1/jobs/j/events') return EVENTS.clone();
    const lists = {
      events: [],
      runs: [],
      pages: [],
      stocks: [],
      bars: [],
      actions: [],
      screens: [],
      watchlists: [],
      sessions: [],
      webhooks: [],
      deliveries: [],
      changes: [],
    };
    return Response.json({ ...lists, next_cursor: null, next_url: null });
  };
  await use(new SaringClient({ baseUrl: BASE_URL, apiKey: 'sar_test', fetch }));
  return seen.join();
}

const firstOf = async (items: AsyncIterable<unknown>) => {
  for await (const _ of items) return;
};

// `screens.submit` is another form of `screens.run`.
const USES: ((client: SaringClient) => unknown)[] = [
  (client) => client.health(),
  (client) => client.scopes(),
  ({ models }) => models.list(),
  ({ models }) => models.get('m'),
  ({ models }) => models.params('m'),
  ({ models }) => models.record('m'),
  ({ models }) => models.features(),
  (client) => client.key(),
  ({ runs }) => runs.submit('m'),
  ({ jobs }) => jobs.list(),
  ({ jobs }) => jobs.get('j'),
  ({ jobs }) => firstOf(jobs.follow('j')),
  ({ jobs }) => jobs.model('j'),
  ({ jobs }) => jobs.explain('j', 'A'),
  ({ jobs }) => jobs.diff('j', 'k'),
  ({ jobs }) => jobs.cancel('j'),
  ({ backfills }) => backfills.start('m', { from: '2024-01-01', to: '2024-06-28' }),
  ({ backfills }) => backfills.list(),
  ({ backfills }) => backfills.get('b'),
  ({ backfills }) => firstOf(backfills.pages('b')),
  ({ backfills }) => backfills.cancel('b'),
  ({ data }) => data.quotes(['A']),
  ({ data }) => data.stock('A'),
  ({ data }) => data.universes(),
  ({ data }) => firstOf(data.stocks()),
  ({ data }) => firstOf(data.actions('A')),
  ({ data }) => firstOf(data.bars('A')),
  ({ data }) => firstOf(data.barsOfDay()),
  ({ data }) => data.compare(['A']),
  ({ data }) => data.overview(),
  ({ data }) => data.brokers('A'),
  ({ data }) => data.brokersWindow('A'),
  ({ data }) => data.brokerTimeline('A', 'B'),
  ({ data }) => data.brokerStocks('B'),
  ({ data }) => data.flows(),
  ({ data }) => data.nego('A'),
  ({ data }) => data.negoBrokers('A'),
  ({ data }) => data.negoScan(),
  ({ data }) => data.negoScanWindow(),
  ({ data }) => data.turningPoint('A'),
  ({ data }) => data.turningPoints(['A']),
  ({ screens }) => screens.fields(),
  ({ screens }) => screens.create({ name: 'n', rules: 'rsi_14 < 35' }),
  ({ screens }) => firstOf(screens.list()),
  ({ screens }) => screens.preview({ rules: 'rsi_14 < 35' }),
  ({ screens }) => screens.get('s'),
  ({ screens }) => screens.replace('s', { name: 'n', rules: 'rsi_14 < 30' }),
  ({ screens }) => screens.delete('s'),
  ({ screens }) => screens.run('s'),
  ({ screens }) => screens.explain('s', 'A'),
  ({ screens }) => screens.past('s'),
  ({ screens }) => firstOf(screens.changes('s')),
  ({ screens }) => screens.ofStock('A'),
  ({ simulations }) =>
    simulations.submit({ screen_id: 's', from: '2024-01-01', to: '2024-06-28', capital_idr: 100_000_000 }),
  ({ sessions }) => sessions.start(),
  ({ sessions }) => sessions.list(),
  ({ sessions }) => sessions.end('s'),
  ({ watchlists }) => watchlists.create({ name: 'n', tickers: ['A'] }),
  ({ watchlists }) => firstOf(watchlists.list()),
  ({ watchlists }) => watchlists.get('w'),
  ({ watchlists }) => watchlists.replace('w', { name: 'n', tickers: ['A'] }),
  ({ watchlists }) => watchlists.delete('w'),
  ({ webhooks }) => webhooks.create({ url: 'https://app.example/hook' }),
  ({ webhooks }) => firstOf(webhooks.list()),
  ({ webhooks }) => webhooks.get('w'),
  ({ webhooks }) => webhooks.replace('w', { url: 'https://app.example/hook' }),
  ({ webhooks }) => webhooks.delete('w'),
  ({ webhooks }) => webhooks.enable('w'),
  ({ webhooks }) => webhooks.disable('w'),
  ({ webhooks }) => webhooks.rotate('w'),
  ({ webhooks }) => webhooks.test('w'),
  ({ webhooks }) => firstOf(webhooks.deliveries('w')),
  ({ webhooks }) => webhooks.redeliver('w', 'd'),
  ({ webhooks }) => webhooks.redeliverMissed('w', { since: '2026-11-20' }),
  ({ events }) => firstOf(events.list()),
  ({ usage }) => firstOf(usage.events()),
  ({ usage }) => usage.event('e'),
  ({ usage }) => usage.summary(),
  ({ usage }) => usage.endUsers(),
  ({ usage }) => firstOf(usage.endUserEvents('u')),
  ({ usage }) => firstOf(usage.screenRuns()),
  ({ usage }) => usage.screenRunSummary(),
  ({ admin }) => firstOf(admin.events()),
  ({ admin }) => admin.summary(),
  ({ admin }) => admin.endUsers(),
  ({ admin }) => admin.keys(),
  ({ admin }) => firstOf(admin.screenRuns()),
  ({ admin }) => admin.screenRunSummary(),
  ({ operator }) => operator.processes(),
  ({ operator }) => operator.queue(),
  ({ operator }) => operator.datasets(),
  ({ operator }) => operator.servedDatasets(),
  ({ operator }) => operator.rejectedRows('v'),
  ({ operator }) => operator.keys(),
  ({ operator }) => operator.keyActions(),
  ({ operator }) => operator.schedules(),
  ({ operator }) => operator.firings(),
  ({ operator }) => operator.feedSources(),
  ({ operator }) => operator.fetches(),
  ({ operator }) => operator.usageSummary(),
  ({ operator }) => operator.usageByKey(),
  ({ consent }) => consent.check(),
  ({ consent }) => consent.document('d'),
  ({ consent }) => consent.accept('1'),
];

test('every endpoint has exactly one client method, and every client method an endpoint', async () => {
  const used = await Promise.all(USES.map(requested));
  const declared = routes.map(
    ({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  for (const [i, pattern] of declared.entries()) {
    const { method, path } = routes[i]!;
    expect(
      used.filter((use) => pattern.test(use)),
      `${method} ${path}`,
    ).toHaveLength(1);
  }
  expect(used).toHaveLength(declared.length);
});
