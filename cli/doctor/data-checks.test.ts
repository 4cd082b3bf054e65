import { describe, expect, test } from 'vitest';
import { fakeFeed } from '#gateway/testing/fake-feed.ts';
import type { Fetch } from '#proto/saring/feed/v1/feed.ts';
import type { ExaminedFleet } from '../fleet/examine.ts';
import { sources } from './data-checks.ts';

const REASON = 'The site answered 403: it keeps programs out.';
const FAILED = { problem: 'bot_wall', reason: REASON } as Fetch;

/** What the check finds where four sources are declared, of which `exchange` fails, and this was its last failed fetch. */
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
  return sources.find({ services: { feed, call: { requestId: 'req_1' } } } as unknown as ExaminedFleet);
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
