import type { Panel } from '#quant/panel/panel.ts';

/** What the stock is called now that had a ticker on a day (YYYY-MM-DD). What is stored of a stock keeps its old name. */
export function namedToday({ columns }: Panel, ticker: string, day: string): string {
  const renamed = columns.renamed?.[ticker];
  return renamed && day < renamed.since ? renamed.ticker : ticker;
}
