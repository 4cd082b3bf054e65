import type { Regime } from '#quant/regime/regime.ts';
import type { Floors } from '#quant/universe/liquidity.ts';
import type { ScoredStock } from '../trained/trained-market.ts';
import { type StopAndTarget, type PriceLevels, priceLevels } from '#quant/labels/price-levels.ts';
import { winChance } from './pick-row.ts';

/** StopAndTarget by which a model without its own is judged: the defaults of the other models. */
export const USUAL_BARRIERS: StopAndTarget = { target_gain: 0.1, stop_loss: 0.05 };
/** Horizon, in trading days, by which a model without its own is judged. */
export const USUAL_HORIZON_DAYS = 20;

/** The part of a run that the record of past picks stores: enough to judge the run once its horizon is over. */
export interface PicksToRecord {
  barriers: StopAndTarget;
  /** Trading days after the analysed one after which a position is closed. */
  horizon_days: number;
  /** The run chose among the names that could be bought above these floors. */
  floors: Floors;
  /** The market's regime as it was read on the day. */
  regime: Regime;
  /** Best first. */
  picks: PickToRecord[];
}

/** A pick with the numbers shown to the reader. */
interface PickToRecord extends PriceLevels {
  ticker: string;
  /** IDR. */
  close: number;
  /** Percent, like the next two; null if no model was trained. */
  probability: number | null;
  win_chance_pct: number | null;
  base_rate_pct: number | null;
}
type PickedStock = Pick<ScoredStock, 'code' | 'close'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** `stocks` best first. */
export function picksToRecord(
  stocks: readonly PickedStock[],
  { target_gain, stop_loss, min_price, min_daily_val }: StopAndTarget & Floors,
  { horizonDays, regime }: { horizonDays: number; regime: Regime },
): PicksToRecord {
  const barriers = { target_gain, stop_loss };
  return {
    barriers,
    horizon_days: horizonDays,
    floors: { min_price, min_daily_val },
    regime,
    picks: stocks.map((stock) => ({
      ticker: stock.code,
      close: stock.close,
      ...priceLevels(stock.close, barriers),
      probability: stock.probability ?? null,
      ...winChance(stock),
    })),
  };
}
