import { inject } from 'vitest';

/** A stock of the market under test that was traded on its last day. */
export async function someTicker(): Promise<string> {
  const answer = await fetch(`${inject('baseUrl')}/api/v1/data/market-overview`, {
    headers: { 'x-api-key': inject('demoKey') },
  });
  const { top_gainers } = (await answer.json()) as { top_gainers: { ticker: string }[] };
  return top_gainers[0]!.ticker;
}
