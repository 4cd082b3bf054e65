import { isReference, type FeatureTable } from '#quant/features/feature-table.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { featureMatrix } from '#screens/learnt/training.ts';
import { Progress } from '#services/market-data/import/progress.ts';
import { derivedMarket } from '#services/model-worker/derived-market.ts';
import { HeldPanel } from '#services/model-worker/held-panel.ts';
import { systemClock } from '#shared/clock.ts';
import { importMarket, type MarketToImport } from '#evaluation/private-importer.ts';
import { PrivateImporter } from '#evaluation/private-importer.ts';
import type { LabelledRows, Problem } from './problem.ts';

const BARRIERS = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 20 };
const HELD_OUT_SHARE = 0.2;
const NO_SAMPLE: MarketToImport['sample'] = { tickers: 1, days: 30 };

/**
 * What the models learn: features of the liquid names of every day against whether 10 % came before -5 % within 20 days.
 * The last fifth of the days is held out, and nothing is learnt from days whose outcome reaches into it.
 */
export async function marketProblem(dataset: string): Promise<Problem> {
  const table = await featuresOf(dataset);
  const { dayStarts } = table.columns;
  const lastDay = table.panel.dayCount - 1 - BARRIERS.horizonDays;
  const firstDay = dayStarts.findIndex((rows) => rows > 0);
  const heldOutFrom = Math.round(lastDay - HELD_OUT_SHARE * (lastDay - firstDay));
  return {
    title: 'market',
    learnt: rowsOf(table, firstDay, heldOutFrom - BARRIERS.horizonDays),
    heldOut: rowsOf(table, heldOutFrom, lastDay + 1),
  };
}

async function featuresOf(dataset: string): Promise<FeatureTable> {
  const importer = await PrivateImporter.start(systemClock);
  try {
    const request = { dataset, synthesizeBrokers: false, sample: NO_SAMPLE };
    const imported = await importMarket(importer, request, {
      progress: new Progress(),
      signal: new AbortController().signal,
    });
    const { panel } = await new HeldPanel(importer.sql).load(imported);
    return derivedMarket(panel).features();
  } finally {
    await importer.stop();
  }
}

/** Liquid names of the days from `from` (inclusive) to `to` (exclusive). */
function rowsOf(table: FeatureTable, from: number, to: number): LabelledRows {
  const { panel, columns } = table;
  const all = Array.from(
    { length: columns.dayStarts[to]! - columns.dayStarts[from]! },
    (_, i) => columns.dayStarts[from]! + i,
  );
  const rows = Uint32Array.from(
    all.filter((row) =>
      isReference(panel.columns.close[columns.panelRow[row]!]!, columns.averageValue[row]!),
    ),
  );
  const ticker = rows.map((row) => columns.ticker[row]!);
  const panelRow = rows.map((row) => columns.panelRow[row]!);
  const { won } = tripleBarrier(panel, { ticker, panelRow }, BARRIERS, panel.dayCount - 1);
  return { matrix: featureMatrix(table, rows), labels: won };
}
