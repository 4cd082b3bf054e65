import { priceLimits, tickSize } from '#quant/exchange/exchange.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { ExtraFeatures } from '#screens/learnt/learnt-market.ts';

const WINDOW = 20;

/** Features of a stock's last 20 bars that the table does not have; each looks at bars up to its own day alone. */
export function limitAndLiquidity({ panel, columns }: FeatureTable): ExtraFeatures {
  const { close, previous, volume, value, day, dates, offsets } = panel.columns;
  const names = [
    'upper_limits_20',
    'lower_limits_20',
    'amihud_20',
    'tick_share',
    'idle_20',
    'turnover_change',
  ];
  const read: ExtraFeatures['read'] = (rows, out) => {
    for (const [i, tableRow] of rows.entries()) {
      const row = columns.panelRow[tableRow]!;
      const first = Math.max(offsets[columns.ticker[tableRow]!]!, row - WINDOW + 1);
      let [upper, lower, illiquidity, idle, recent, all] = [0, 0, 0, 0, 0, 0];
      for (let at = first; at <= row; at++) {
        if (volume[at] === 0) {
          idle++;
          continue;
        }
        const limits = priceLimits(previous[at]!, dates[day[at]!]!, 'regular');
        if (close[at]! >= limits.upper) upper++;
        if (close[at]! <= limits.lower) lower++;
        illiquidity += Math.abs(close[at]! / previous[at]! - 1) / Math.max(1, value[at]! / 1e9);
        if (at > row - 5) recent += value[at]!;
        all += value[at]!;
      }
      const figures = [
        upper,
        lower,
        illiquidity,
        tickSize(close[row]!) / close[row]!,
        idle,
        (4 * recent) / (all || 1),
      ];
      for (const [feature, figure] of figures.entries()) out[feature]![i] = figure;
    }
  };
  return { names, read };
}
