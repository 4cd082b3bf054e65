import type { Regime } from '#quant/regime/regime.ts';
import type { Floors } from '#quant/universe/liquidity.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import { type Barriers, type PriceLevels, priceLevels, winChance } from './pick-row.ts';

/** A model without levels of its own is judged by those that the others have by default. */
export const USUAL_BARRIERS: Barriers = { target_gain: 0.1, stop_loss: 0.05 };
/** And a model without a horizon by this many trading days. */
export const USUAL_HORIZON_DAYS = 20;

/** What the record of past picks keeps of a run: enough to judge it once its horizon is over. */
export interface PicksToRecord {
  barriers: Barriers;
  /** Trading days after the analysed one after which a position is given up. */
  horizon_days: number;
  /** Which names the run chose among: those that could be bought above these. */
  floors: Floors;
  /** Condition of the market on the day, as it was read then. */
  regime: Regime;
  /** Best first. */
  picks: PickToRecord[];
}

/** A pick with what its reader was shown of it. */
interface PickToRecord extends PriceLevels {
  ticker: string;
  /** IDR. */
  close: number;
  /** Percent, as the next; null where nothing was learnt. */
  probability: number | null;
  win_chance_pct: number | null;
  base_rate_pct: number | null;
}

type RunParams = Barriers & Floors;
type PickedStock = Pick<ScoredStock, 'code' | 'close'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** `stocks` best first. */
export function picksToRecord(
  stocks: readonly PickedStock[],
  { target_gain, stop_loss, min_price, min_daily_val }: RunParams,
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
