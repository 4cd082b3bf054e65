import { describe, expect, test } from 'vitest';
import { fakeFeed } from '#gateway/testing/fake-feed.ts';
import type { Fetch } from '#proto/saring/feed/v1/feed.ts';
import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { ExaminedFleet } from '../fleet/examine.ts';
import { dataset, sources } from './data-checks.ts';

const REASON = 'The site answered 403: it keeps programs out.';
const FAILED = { problem: 'bot_wall', reason: REASON } as Fetch;

/** What the check finds when `exchange`, one of four declared sources, fails and this was its last failed fetch. */
async function foundAfter(fetch: Fetch | undefined) {
  const feed = {
    listSources: async () => {
      const { sources: listed } = await fakeFeed.listSources({}, {} as never);
      return {
        sources: listed.map((source) =>
          source.state === 'failing' ? { ...source, reason: REASON } : source,
        ),
      };
    },
    listFetches: async () => ({ fetches: fetch ? [fetch] : [] }),
  };
  const services = { feed, call: { requestId: 'req_1' } };
  return sources.find({ stores: {}, services } as unknown as ExaminedFleet);
}

describe('the check for sources', () => {
  test('reports a source that fails, with the reason and the log to read; not one that is paused or at work', async () => {
    expect(await foundAfter(FAILED)).toEqual([
      {
        what: 'The source exchange does not bring 2024-06-28: The site answered 403: it keeps programs out.',
        fix: expect.stringMatching(/^'saring feed log --source exchange' .+ docs\/feeds\.md /) as string,
      },
    ]);
  });

  test('reports a source that failed before it could fetch anything', async () => {
    expect(await foundAfter(undefined)).toHaveLength(1);
  });

  test('reports no source whose day is only not there yet', async () => {
    expect(await foundAfter({ ...FAILED, problem: 'not_published' })).toEqual([]);
  });

  test('reports a source that fails for another reason after a day that was not there yet', async () => {
    const before = { ...FAILED, problem: 'not_published', reason: 'Nothing for 2024-06-28 yet.' };
    expect(await foundAfter(before)).toHaveLength(1);
  });
});

test('a real market with a hole, in a year whose closures are not listed, is two findings that say what to do', async () => {
  const freshness: Partial<Freshness> = {
    behind_trading_days: 0,
    is_late: false,
    missing_days: ['2026-07-02', '2026-07-03'],
    missing_day_count: 12,
    unlisted_year: 2027,
  };
  const fleet = {
    stores: { market: async () => [{ version: 'real-20261201-1', kind: 'real' }] },
    services: { datasets: { getCurrentDataset: async () => ({ freshness }) } },
  } as unknown as ExaminedFleet;
  expect(await dataset.find(fleet)).toMatchObject([
    {
      what: expect.stringContaining(
        'has 12 days without rows: 2026-07-02, 2026-07-03 and older ones',
      ) as string,
      fix: expect.stringContaining("'saring dataset import FILE --add'") as string,
    },
    {
      what: expect.stringContaining('does not know on which days of 2027 the exchange is closed') as string,
      fix: expect.stringContaining('set CALENDAR_FILE and restart market-data and the feed') as string,
    },
  ]);
});
