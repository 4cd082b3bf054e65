import type {
  PicksToResolve,
  ResolvedPicks,
  ResolvePicksRequest,
  ResolvePicksResponse,
} from '#proto/saring/market_data/v1/market_data.ts';
import { picksOutcome } from '#quant/labels/picks-outcome.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { type Candidate, candidates } from '#quant/universe/candidates.ts';
import { isLastDayPartial } from './partial-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** The outcomes of the picks of past runs. `today` is the day in Jakarta. */
export function resolvePicksOf(
  loaded: LoadedDataset,
  { runs }: ResolvePicksRequest,
  today: string,
): ResolvePicksResponse {
  const { dataset, panel } = loaded;
  const lastDay = panel.lastWholeDay - (isLastDayPartial(loaded, today) ? 1 : 0);
  return {
    runs: runs.map((run) => resolved(panel, run, lastDay)),
    dataset_version: dataset.version,
    dataset_kind: dataset.kind,
  };
}

function resolved(panel: Panel, run: PicksToResolve, lastDay: number): ResolvedPicks {
  const { as_of, tickers, target_gain, stop_loss, horizon_days, min_price, min_daily_val } = run;
  const { dates } = panel.columns;
  const day = panel.dayOnOrBefore(as_of);
  if (dates[day] !== as_of) return { picks: [], names: undefined };
  const barriers = { targetGain: target_gain, stopLoss: stop_loss, horizonDays: horizon_days };
  const floors = { min_price, min_daily_val };
  const { picks, universe } = picksOutcome(
    panel,
    { day, tickers, barriers, floors },
    lastDay,
    candidatesOnce,
  );
  return {
    picks: picks.map(({ ticker, state, exitDay, netReturn }) => ({
      ticker,
      state,
      net_return: netReturn,
      exit_date: exitDay === undefined ? undefined : dates[exitDay],
    })),
    names: universe && {
      names: universe.names,
      win_rate: universe.winRate,
      net_return: universe.meanNetReturn,
    },
  };
}

/**
 * The candidates found last, by panel. Runs of a request mostly share one day, and finding its candidates takes
 * milliseconds.
 */
const found = new WeakMap<Panel, { day: number; names: readonly Candidate[] }>();

function candidatesOnce(panel: Panel, day: number): readonly Candidate[] {
  const last = found.get(panel);
  if (last?.day === day) return last.names;
  const names = candidates(panel, day);
  found.set(panel, { day, names });
  return names;
}
