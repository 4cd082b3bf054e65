import type { Question } from '../load-client.ts';
import { pick, type Activity, type Actor } from '../actor.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

type Read = Pick<Question, 'kind' | 'path' | 'method' | 'body'> & { expected?: readonly string[] };

/** Reads of an application. The last one is of a day for which market-data queries ClickHouse. */
const READS: ((actor: Actor) => Read)[] = [
  (actor) => ({ kind: 'quotes', path: `/api/v1/data/quotes?tickers=${someTickers(actor, 5).join()}` }),
  (actor) => ({
    kind: 'snapshot',
    path: `/api/v1/data/stocks/${ticker(actor)}?days=${1 + actor.random.below(250)}`,
  }),
  (actor) => ({
    kind: 'compare',
    method: 'POST',
    path: '/api/v1/data/compare',
    body: { tickers: someTickers(actor, 5), days: 20 },
  }),
  () => ({ kind: 'overview', path: '/api/v1/data/market-overview' }),
  (actor) => ({ kind: 'brokers', path: `/api/v1/data/stocks/${ticker(actor)}/brokers/window?days=60` }),
  (actor) => ({
    kind: 'flows',
    path: `/api/v1/data/flows?days=${1 + actor.random.below(120)}&min_abs_val=0`,
  }),
  (actor) => ({ kind: 'nego', path: `/api/v1/data/nego/window?days=${1 + actor.random.below(120)}` }),
  (actor) => ({
    kind: 'turning points',
    method: 'POST',
    path: '/api/v1/data/turning-points',
    body: { tickers: someTickers(actor, 20), lookback: 2 + actor.random.below(59) },
  }),
  (actor) => ({
    kind: 'brokers of an old day',
    path: `/api/v1/data/stocks/${ticker(actor)}/brokers?date=${oldDay(actor)}`,
    expected: ['200', '404 not_found'],
  }),
];

/** Days after the first one that are certainly not in memory. */
const OLD_DAYS = 40;

export const readMarketData: Activity = async (actor) => {
  const { kind, expected = ['200'], ...read } = pick(actor, READS)(actor);
  await actor.client.ask({
    kind: `data, ${kind}`,
    ...read,
    app: actor.app,
    expected,
    unavailable: 'data_unavailable',
  });
};

function ticker(actor: Actor): string {
  return pick(actor, actor.market.tickers);
}

function someTickers({ random, market: { tickers } }: Actor, most: number): string[] {
  return [...random.permutation(tickers.length).slice(0, most)].map((at) => tickers[at]!);
}

function oldDay({ random, market }: Actor): string {
  const day = Date.parse(market.firstDate) + random.below(OLD_DAYS) * DAY_MS;
  return new Date(day).toISOString().slice(0, 10);
}
