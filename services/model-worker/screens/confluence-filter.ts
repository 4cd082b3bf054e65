import { analysedDay } from './analysed-day.ts';
import { emptyBlock } from './confluence-empty.ts';
import { ConfluenceMarket } from './confluence-market.ts';
import type { ConfluenceParams } from './confluence-params.ts';
import { confluenceRow } from './confluence-row.ts';
import type { Screen, ScreenInput, ScreenOutput } from './screen.ts';
import { MIN_BARS } from './universe.ts';

/** Model D: stocks on which several technical signals agree within a few days. No learning, no chance. */
export const confluenceFilter: Screen = { modelId: 'confluence_filter', run };

function run({ panel, dataset, params, view }: ScreenInput): ScreenOutput {
  const wanted = params as unknown as ConfluenceParams;
  const day = analysedDay(panel, wanted.analysis_date, MIN_BARS);
  const asOf = panel.columns.dates[day]!;
  const market = new ConfluenceMarket(panel, day);
  const selection = market.select(wanted);
  const { scanned, hits, afterSellerFilter, picks } = selection;
  const result = {
    model_id: confluenceFilter.modelId,
    view,
    as_of: asOf,
    target_date: asOf,
    pick_count: picks.length,
    df_result: picks.map(confluenceRow),
    diag: {
      total_scanned: scanned,
      total_hits: hits.length,
      after_seller_filter: afterSellerFilter.length,
      final: picks.length,
      dataset_version: dataset.version,
    },
    dataset: { version: dataset.version, kind: dataset.kind, synthetic: dataset.kind === 'synthetic' },
    ...(picks.length === 0 ? { empty: emptyBlock(market, wanted, selection, asOf) } : {}),
  };
  const tickers = picks.map(({ stock }) => stock.code);
  return { result, summary: { pick_count: picks.length, tickers, target_date: asOf } };
}
