import { inject } from 'vitest';
import { generateMarket, type SyntheticTicker } from '#synthetic-market/generate-market.ts';
import { fleetFileIn } from '../fleets/fleet.ts';
import type { Rest } from '../rest/rest.ts';

interface Datasets {
  served_version: string;
  datasets: { version: string; source: string; tickers: number; trading_days: number; last_date: string }[];
}

/** The companies of the contract fleet's market with their rows, made again from its seed and its size. */
export async function servedMarket(
  rest: Rest,
): Promise<{ version: string; lastDay: string; market: SyntheticTicker[] }> {
  const { operator_token: key } = await fleetFileIn(inject('stateDir'));
  const { body } = await rest.get<Datasets>('/api/v1/operator/datasets', { key });
  const served = body.datasets.find((dataset) => dataset.version === body.served_version)!;
  const seed = Number(/^generator seed (\d+)$/.exec(served.source)![1]);
  const { version, tickers, trading_days: days, last_date: lastDay } = served;
  return { version, lastDay, market: [...generateMarket({ seed, tickers, days, lastDate: lastDay })] };
}
