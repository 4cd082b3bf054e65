import { Piscina } from 'piscina';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { marketColumns } from '#fields/catalogue/columns.ts';
import type { DaysMatches } from '#fields/evaluation/evaluate.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import { timesOf } from '#support/measuring/times.ts';
import type { DaysTask } from './days-worker.ts';
import { FIVE_RULES } from './five-rules.ts';

const THREADS = 2;
const CALLS = { count: 20, warmUp: 5 };

/** The rules alone, on columns in memory, over every day of a market, whose days threads share. */
export async function everyDayFigure(panel: Panel): Promise<Figure> {
  const rules = parseRules(FIVE_RULES, FIELDS);
  const span = { firstDay: 0, lastDay: panel.dayCount - 1 };
  const inputs = { panel, history: regimeHistory(panel) };
  const market = marketColumns([...needsOf(rules).fields], inputs, span);
  const filename = new URL('./days-worker.ts', import.meta.url).href;
  const pool = new Piscina<DaysTask, DaysMatches>({ filename, minThreads: THREADS, maxThreads: THREADS });
  const perThread = Math.ceil(panel.dayCount / THREADS);
  const parts = Array.from({ length: THREADS }, (_, i) => ({
    firstDay: i * perThread,
    lastDay: Math.min((i + 1) * perThread, panel.dayCount) - 1,
  }));
  try {
    const evaluate = () => Promise.all(parts.map((days) => pool.run({ rules, market, days })));
    const days = panel.dayCount.toLocaleString('en');
    return {
      what: `five rules alone on every one of ${days} days of ${panel.tickerCount} stocks, ${THREADS} threads (p50 / p90)`,
      measured: `${spread(await timesOf(evaluate, CALLS), [0.5, 0.9])} ms`,
      bar: '≤ 150 ms',
    };
  } finally {
    await pool.destroy();
  }
}
