import { Progress } from '#services/market-data/import/request/progress.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { systemClock } from '#foundation/clock.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { importMarket, PrivateImporter } from '#evaluation/private-importer.ts';

/** The size of the market that `make run` invents. */
const SAMPLE = { tickers: 300, days: 1_000 };

/** The bars of the dataset, or of an invented market, as market-data and workers keep them in memory. */
export async function panelOf(dataset: string | undefined): Promise<Panel> {
  const importer = await PrivateImporter.start(systemClock);
  try {
    const request = { dataset, synthesizeBrokers: false, sample: SAMPLE };
    const imported = await importMarket(importer, request, {
      progress: new Progress(),
      signal: new AbortController().signal,
    });
    return await loadPanel((sql, params) => readArrow(importer.sql, sql, params), imported.version);
  } finally {
    await importer.stop();
  }
}
