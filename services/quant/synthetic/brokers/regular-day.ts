import type { PanelColumns } from '#quant/panel/panel-columns.ts';

/** A day of a stock on the regular market: whole shares, whole IDR. */
export interface RegularDay {
  epochDay: number;
  volume: number;
  value: number;
  high: number;
  low: number;
  /** Return against the reference price, as a fraction. */
  move: number;
  /** Number of trades. */
  frequency: number;
  /** Parts of the volume that foreign investors bought and sold, 0..1. */
  foreignBuyShare: number;
  foreignSellShare: number;
}

export function regularDay(columns: PanelColumns, row: number, epochDay: number): RegularDay {
  const [previous, close] = [columns.previous[row]!, columns.close[row]!];
  return {
    epochDay,
    volume: Math.round(columns.volume[row]!),
    value: Math.round(columns.value[row]!),
    high: columns.high[row]!,
    low: columns.low[row]!,
    move: previous > 0 ? close / previous - 1 : 0,
    frequency: columns.frequency[row]!,
    foreignBuyShare: shareOf(columns.foreign_buy[row]!, columns.volume[row]!),
    foreignSellShare: shareOf(columns.foreign_sell[row]!, columns.volume[row]!),
  };
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}
