import { MIN_BARS } from '#quant/universe/candidates.ts';
import { analysedDay } from './analysed-day.ts';
import { confluenceEmptyBlock } from './confluence-empty.ts';
import { ConfluenceMarket } from './confluence-market.ts';
import type { ConfluenceParams } from './confluence-params.ts';
import { confluenceRow } from './confluence-row.ts';
import type { DaysRead, Screen, ScreenInput, ScreenOutput } from './screen.ts';
import { spanUpTo } from './span-up-to.ts';

/** Model D: stocks on which several technical signals agree within a few days. No learning, no chance. */
export const confluenceFilter = { modelId: 'confluence_filter', brokerSpan, run } satisfies Screen;

async function run({
  panel,
  brokerFlow,
  dataset,
  analysisDate,
  params,
  view,
}: ScreenInput): Promise<ScreenOutput> {
  const wanted = params as unknown as ConfluenceParams;
  const day = analysedDay(panel, analysisDate, MIN_BARS);
  const asOf = panel.columns.dates[day]!;
  const market = new ConfluenceMarket(panel, brokerFlow, day);
  const selection = market.select(wanted);
  const { scanned, hits, sellerRule, afterSellerFilter, picks } = selection;
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
      seller_rule: sellerRule,
      dataset_version: dataset.version,
      broker_data: dataset.broker_data,
    },
    dataset: { ...dataset, synthetic: dataset.kind === 'synthetic' },
    ...(picks.length === 0 ? { empty: confluenceEmptyBlock(market, wanted, selection, asOf) } : {}),
  };
  const tickers = picks.map(({ stock }) => stock.code);
  return { result, summary: { pick_count: picks.length, tickers, target_date: asOf } };
}

/** What the seller filter looks at. */
function brokerSpan(...[panel, params, analysisDate]: Parameters<DaysRead>): ReturnType<DaysRead> {
  const { seller_filter, seller_lookback } = params as unknown as ConfluenceParams;
  return seller_filter ? spanUpTo(panel, analysisDate, seller_lookback) : undefined;
}
