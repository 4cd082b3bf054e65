import type { Panel } from '#quant/panel/panel.ts';
import { sumOverDays } from '#quant/snapshot/money-windows.ts';

/** Net foreign selling beyond this part of the traded value weighs on the price. */
const NET_SELLING_SHARE = 0.1;

/**
 * Whether sellers dominate over the last `days` exchange days. Without per-broker rows the only known sides are
 * foreign and domestic, so both must hold: foreign investors were net sellers of more than 10 % of the traded value,
 * and what they sold is at least `dominance` times what they bought. A larger `dominance` drops fewer stocks.
 */
export function sellersDominate(
  panel: Panel,
  ticker: number,
  day: number,
  { days, dominance }: { days: number; dominance: number },
): boolean {
  const { foreign_buy, foreign_sell, volume, value } = panel.columns;
  const valueOf = (shares: Float64Array) => (row: number) =>
    volume[row] === 0 ? 0 : (shares[row]! * value[row]!) / volume[row]!;
  const bought = sumOverDays(panel, ticker, day, days, valueOf(foreign_buy));
  const sold = sumOverDays(panel, ticker, day, days, valueOf(foreign_sell));
  const traded = sumOverDays(panel, ticker, day, days, (row) => value[row]!);
  return sold - bought > NET_SELLING_SHARE * traded && sold >= dominance * bought;
}
