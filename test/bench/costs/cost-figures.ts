import { costOf, processorsOf } from '#support/measuring/cost.ts';
import { tradingDays } from '#support/measuring/market-values.ts';
import type { Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { byProcess } from '#support/fleets/fleet.ts';
import { startSecondGateway } from '#support/fleets/second-gateway.ts';
import { Rest } from '#support/rest/rest.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { backfilled } from '../screens/model-money-figure.ts';
import { FIVE_RULES } from '../screens/five-rules.ts';

const END_USER = { endUser: 'bench' };
const GIVE_UP_MS = 300_000;
/** Of the kept columns: enough for the clock of processes, which ticks a hundred times a second. */
const CHEAP_CALLS = 40;

/** Prices whose columns no other load has computed. */
const PRICES = ['high_52w', 'dist_low_52w_pct', 'value_60d', 'traded_days_60d', 'volatility_20d_pct'];
const BROKERS = [
  'bandar_net_20d_idr',
  'retail_net_5d_idr',
  'broker_churn_5d_pct',
  'top_buyer_newness_20d_pct',
];

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Stores clean up after an import for minutes, which is not the work of a key. */
const STORES = ['clickhouse', 'postgres', 'nats'];
/** A busy machine takes longer for the columns of brokers than a gateway waits by default. */
const PATIENT = { DOWNSTREAM_TIMEOUT_MS: '60000' };

/** What each kind of work was charged to the key, and what the processors then did for it. */
export async function costFigures({ file, key }: Stage): Promise<Figure[]> {
  const gateway = await startSecondGateway(file, PATIENT);
  const services = Object.entries(file.pids).filter(([name]) => !STORES.includes(name));
  const pids = { ...byProcess(Object.fromEntries(services)), 'second gateway': gateway.pid };
  try {
    return await costsThrough(new Rest(gateway.baseUrl, key), pids);
  } finally {
    await gateway.stop();
  }
}

async function costsThrough(rest: Rest, pids: Record<string, number>): Promise<Figure[]> {
  const days = await tradingDays(rest, 250);
  const [to] = days;
  const from = days.at(-1)!;
  const preview = (rules: string) => rest.post('/api/v1/screens/preview', { rules }, END_USER);
  const each = async (calls: (() => Promise<Answer>)[]) => {
    let charged = 0;
    for (const call of calls) charged += chargedBy(await call());
    return charged;
  };
  const times = (count: number, call: () => Promise<Answer>) =>
    each(Array.from({ length: count }, () => call));
  const saved = { name: 'bench', rules: FIVE_RULES };
  const screen = await rest.post<{ screen_id: string }>('/api/v1/screens', saved, END_USER);
  const { screen_id } = screen.body;
  const money = { capital_idr: 100_000_000, max_positions: 10, rebalance: 'weekly' };
  const changes = BROKERS.slice(0, 3).map((name, i) => `change(${name}, ${20 + i}d) > 0`);
  const loads: Record<string, () => Promise<number>> = {
    'the columns of five rules': () => each([() => preview(FIVE_RULES)]),
    [`${CHEAP_CALLS} previews of five rules, whose columns are kept`]: () =>
      times(CHEAP_CALLS, () => preview(FIVE_RULES)),
    [`${PRICES.length} columns of prices`]: () =>
      each([() => preview(PRICES.map((name) => `${name} is not null`).join(' and '))]),
    'the months of broker rows of a column of brokers, and the column': () =>
      each([() => preview(`change(${BROKERS[3]}, 60d) > 0`)]),
    [`columns of ${changes.length} changes of brokers`]: () => each([() => preview(changes.join(' and '))]),
    'the values of all fields of a day': () =>
      each([() => rest.get(`/api/v1/fields/values?as_of=${days[5]}`)]),
    'the past of five rules over a year': () =>
      each([() => rest.get(`/api/v1/screens/${screen_id}/past?from=${from}`, END_USER)]),
    'a simulation of a year': async () => {
      const answer = await rest.post<JobBody>(
        '/api/v1/simulations',
        { screen_id, from, to, ...money },
        END_USER,
      );
      const charged = chargedBy(answer);
      await pollUntilFinal(rest, answer.body.job_id, GIVE_UP_MS);
      return charged;
    },
    'a backfill of F over some weeks': async () =>
      chargedBy((await backfilled(rest, { from: days[60], to, step: 'week' })).started),
  };
  const figures: Figure[] = [];
  for (const [what, load] of Object.entries(loads)) {
    const { result: charged, cost } = await costOf(pids, load);
    const measured = Math.round(1_000 * processorsOf(cost) * cost.seconds);
    const figure = `${charged} / ${measured} ms`;
    figures.push({ what: `${what}: processor time, estimated / measured`, measured: figure });
  }
  return figures;
}

function chargedBy({ status, headers, body }: Answer): number {
  if (status >= 300) throw new Error(`a request was answered ${status}: ${JSON.stringify(body)}`);
  return Number(headers.get('x-cost'));
}
