import type { Panel } from '#quant/panel/panel.ts';

/** When a stock (index) last traded in the regular market, and whether that is the dataset's last day. */
export function lastTrade(panel: Panel, ticker: number) {
  const { dates, day } = panel.columns;
  const lastDay = panel.dayCount - 1;
  const row = panel.lastTradedRow(ticker, lastDay);
  return {
    last_traded_date: row < 0 ? undefined : dates[day[row]!],
    traded_today: row >= 0 && day[row] === lastDay,
  };
}
