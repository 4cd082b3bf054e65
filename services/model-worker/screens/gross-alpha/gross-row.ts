import type { FlowFigures } from '#quant/gross-flow/stock-flow.ts';
import { abbreviated, rounded, signedPercent } from '../display.ts';
import { pickRow, type RowContext } from '../learnt/pick-row.ts';
import type { RankedStock } from '../learnt/ranked-stock.ts';

/**
 * A pick. `CR5 Buy` (0 to 1), `HHI Gap`, `Retail Share`, `Avg Cost Gap` and `Top Buyer` are of the run's window, the gap
 * against what the net buyers of its group paid.
 */
export function grossRow({ stock, score }: RankedStock, figures: FlowFigures, context: RowContext) {
  const { top5Buy, hhiGap, bandarNet5, retailShare, entryGap, topBuyer } = figures;
  return {
    ...pickRow(stock, score, context),
    'CR5 Buy': top5Buy === null ? null : rounded(top5Buy, 3),
    'HHI Gap': hhiGap === null ? null : rounded(hhiGap, 4),
    'Bandar Net 5D': bandarNet5 === null ? '-' : abbreviated(bandarNet5),
    'Retail Share': retailShare === null ? '-' : `${(100 * retailShare).toFixed(1)}%`,
    'Avg Cost Gap': entryGap === null ? '-' : signedPercent(entryGap),
    'Top Buyer': topBuyer ?? '-',
  };
}
