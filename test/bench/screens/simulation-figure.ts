import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { marketColumns } from '#fields/catalogue/columns.ts';
import { evaluateDays } from '#fields/evaluation/evaluate.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import type { ScreenInput } from '#models/model/screen.ts';
import type { SimulationParams } from '#models/simulation/params.ts';
import { screen } from '#models/simulation/screen.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { lastOfEach } from '#shared/market/last-of-each.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import { timesOf } from '#support/measuring/times.ts';

const RULES = 'is_liquid sort by ret_20d desc limit 10';
/** 3.5 years. */
const DAYS = 850;
const CALLS = { count: 10, warmUp: 2 };

/** What a worker does for a simulation with all its comparisons, on a market in memory. */
export async function simulationFigure(panel: Panel): Promise<Figure> {
  const { dates } = panel.columns;
  const lastDay = panel.dayCount - 1;
  const firstDay = Math.max(0, panel.dayCount - DAYS);
  const params: SimulationParams = {
    screen_id: 'scr_0',
    from: dates[firstDay]!,
    to: dates[lastDay]!,
    capital_idr: 100_000_000,
    max_positions: 10,
    position_pct: 10,
    rebalance: 'weekly',
    max_volume_pct: 5,
    target_gain: 0.08,
    stop_loss: 0.05,
    horizon_days: 20,
    picks: { days: weeklyPicks(panel, { firstDay, lastDay }), trials: 1, expected_best_sharpe: 0 },
  };
  const dataset = { version: 'bench', kind: 'synthetic', broker_data: 'none' };
  const input = { panel, params, dataset, analysisDate: params.to, shouldStop: () => false };
  const times = await timesOf(() => screen.run(input as unknown as ScreenInput<SimulationParams>), CALLS);
  const days = lastDay + 1 - firstDay;
  return {
    what: `a simulation of ${days} days, weekly, ten positions, with 500 random draws, in one thread (p50 / p90)`,
    measured: `${spread(times, [0.5, 0.9])} ms`,
    bar: '≤ 200 ms',
  };
}

function weeklyPicks(
  panel: Panel,
  span: { firstDay: number; lastDay: number },
): SimulationParams['picks']['days'] {
  const { dates, tickers } = panel.columns;
  const rules = parseRules(RULES, FIELDS);
  const columns = marketColumns([...needsOf(rules).fields], { panel, history: regimeHistory(panel) }, span);
  const { starts, stocks } = evaluateDays(rules, columns, {
    firstDay: 0,
    lastDay: span.lastDay - span.firstDay,
  });
  const weeks = new Set(lastOfEach(dates.slice(span.firstDay, span.lastDay + 1), 'week'));
  return Array.from({ length: starts.length - 1 }, (_, at) => ({
    as_of: dates[span.firstDay + at]!,
    tickers: Array.from(stocks.subarray(starts[at], starts[at + 1]), (stock) => tickers[stock]!),
  })).filter(({ as_of }) => weeks.has(as_of));
}
