import path from 'node:path';
import { loadSecrets } from '#local/state/secrets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { callerToken } from '#platform/grpc/callers.ts';
import type { Rest } from '#support/rest/rest.ts';
import { tradingDays } from '#support/measuring/market-values.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { timesOf } from '#support/measuring/times.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { panelOf } from '../market/market-panel.ts';
import { everyDayFigure } from './every-day-figure.ts';
import { FIVE_RULES } from './five-rules.ts';
import { modelMoneyFigure } from './model-money-figure.ts';
import { simulationFigure } from './simulation-figure.ts';

const CALLS = { count: 200, warmUp: 20 };
/** Calls with as many screens as the screens service sends at once: 200 in all. */
const FOLLOWED = { calls: 4, screens: 50 };
const END_USER = { endUser: 'bench' };
const YEARS = 4;
const QUANTILES = [0.5, 0.9];

/** How long screens take: in the service, over REST, on past days, followed from one day to the next, on every day, and simulated; of a model, trained anew. */
export async function screenFigures(stage: Stage, dataset: string | undefined): Promise<Figure[]> {
  const days = await tradingDays(stage.rest, 250);
  const panel = await panelOf(dataset);
  return [
    ...(await inService(stage, days)),
    await overRest(stage.rest),
    await pastOverRest(stage.rest, days[0]!),
    await everyDayFigure(panel),
    await simulationFigure(panel),
    await modelMoneyFigure(stage.rest),
  ];
}

async function inService({ fleet, file }: Stage, days: string[]): Promise<Figure[]> {
  const { caller_secrets } = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  const identity = identityOf('screens', callerToken(caller_secrets['market-data'], 'screens'));
  const fields = clientOf(FieldServiceService, file.addresses.market_data, { identity });
  const call = { requestId: 'req_bench' };
  const screen = (as_of: string | undefined) =>
    fields.screenStocks({ rules: FIVE_RULES, universe: undefined, as_of, columns: [] }, call);
  const follow = async () => {
    const screens = Array.from({ length: FOLLOWED.screens }, (_, i) => followed(i, days[1]!));
    for (let n = 0; n < FOLLOWED.calls; n++) await fields.followScreens({ screens, as_of: undefined }, call);
  };
  try {
    const [firstMs] = await timesOf(() => screen(undefined), { count: 1 });
    const today = await timesOf(() => screen(undefined), CALLS);
    // A step that shares no factor with the number of days visits them all, out of order.
    const past = await timesOf((n) => screen(days[(n * 97) % days.length]), CALLS);
    const following = await timesOf(follow, { count: 10, warmUp: 1 });
    return [
      {
        what: 'the first screen, whose fields are computed, over gRPC',
        measured: `${firstMs!.toFixed(0)} ms`,
      },
      figure('a screen of five rules today, over gRPC', today, '≤ 5 ms'),
      figure(`... as of days among the last ${days.length}, over gRPC`, past, '≤ 20 ms'),
      figure('200 screens followed since the day before, over gRPC', following, '≤ 5 s'),
    ];
  } finally {
    fields.close();
  }
}

/** A screen as it is followed. Each has a bound of its own. */
function followed(i: number, previous_as_of: string) {
  const rules = `rsi_14 < ${30 + i} and volume_ratio_20 > 1 and is_liquid`;
  return { id: String(i), rules, universe: undefined, previous_as_of, previous_tickers: [] };
}

async function overRest(rest: Rest): Promise<Figure> {
  const preview = async () => {
    const { status, body } = await rest.post('/api/v1/screens/preview', { rules: FIVE_RULES }, END_USER);
    if (status !== 200) throw new Error(`a preview was answered ${status}: ${JSON.stringify(body)}`);
  };
  return figure('a screen of five rules today, over REST', await timesOf(preview, CALLS), '≤ 15 ms');
}

/** The past of a screen, once its fields are computed. */
async function pastOverRest(rest: Rest, lastDay: string): Promise<Figure> {
  const screen = { name: 'bench', rules: FIVE_RULES };
  const { body } = await rest.post<{ screen_id: string }>('/api/v1/screens', screen, END_USER);
  const from = `${Number(lastDay.slice(0, 4)) - YEARS}${lastDay.slice(4)}`;
  const past = async () => {
    const { status, body: reply } = await rest.get(
      `/api/v1/screens/${body.screen_id}/past?from=${from}`,
      END_USER,
    );
    if (status !== 200) throw new Error(`a past was answered ${status}: ${JSON.stringify(reply)}`);
  };
  const times = await timesOf(past, { count: 10, warmUp: 1 });
  return figure(`the past of five rules over the last ${YEARS} years, over REST`, times, '≤ 1 s');
}

function figure(what: string, times: number[], bar: string): Figure {
  return { what: `${what} (p50 / p90)`, measured: `${spread(times, QUANTILES)} ms`, bar };
}
