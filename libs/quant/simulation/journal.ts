import { stopToTick } from '../labels/price-levels.ts';
import { dateOf } from '../labels/entry.ts';
import { levelsOf, type Barriers } from '../labels/triple-barrier.ts';
import type { Exit } from './order-outcomes.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** Why a position ended: at a barrier, or because a corporate action left less than a lot of it. */
export type ExitReason = Exit | 'odd_lot';

/** A position. Days are calendar indices, money is whole rupiahs. */
export interface Trade {
  stock: number;
  /** Day at whose end it was picked. */
  pickedDay: number;
  boughtDay: number;
  /** Shares bought. Corporate actions may change how many are held. */
  shares: number;
  /** Average price of a share, IDR. */
  price: number;
  /** Paid with fees. */
  paidIdr: number;
  /** Received so far, less fees and tax. */
  receivedIdr: number;
  /** Day of the last sale so far; undefined before the first. */
  soldDay: number | undefined;
  /** Shares sold on all days, and what they fetched before fees and tax. */
  soldShares: number;
  soldIdr: number;
  /** Undefined while the position is open. */
  reason: ExitReason | undefined;
  /** Days on which all or some of it could not be sold because too little was traded. */
  thinDays: number;
}

/** Whether a position was bought at its own stop or below, so that it ended at once. */
export function isBoughtAtStop(
  { panel }: SimulatedMarket,
  { stock, pickedDay, boughtDay, price }: Pick<Trade, 'stock' | 'pickedDay' | 'boughtDay' | 'price'>,
  barriers: Barriers,
): boolean {
  const [row, bought] = [panel.rowAt(stock, pickedDay), panel.rowAt(stock, boughtDay)];
  const { stop } = levelsOf(panel, row, barriers);
  return price <= stopToTick(stop * panel.priceScale(row, bought), dateOf(panel, bought));
}

/** Why an order bought nothing, or less than it asked for. */
export const MISSES = ['above_limit', 'locked_at_upper_limit', 'halted', 'too_thin', 'no_money'] as const;
type Miss = (typeof MISSES)[number];

/** An order that bought less than it asked for. */
export interface MissedOrder {
  stock: number;
  pickedDay: number;
  why: Miss;
  /** Shares asked for; 0 if the money was not enough for a lot. */
  asked: number;
  bought: number;
}

/** What a simulation writes down, day by day. Entries of days are in the order of the span. */
export class Journal {
  readonly equityIdr: number[] = [];
  /** Value of the positions. */
  readonly investedIdr: number[] = [];
  /** Money that is free. */
  readonly cashIdr: number[] = [];
  /** Fees, tax and stamp duty. */
  readonly costsIdr: number[] = [];
  /** Bought and sold together, before costs. */
  readonly tradedIdr: number[] = [];
  readonly trades: Trade[] = [];
  /** At the end of the span: value of the positions in stocks that nobody could sell on its last day. */
  stuckIdr = 0;
  readonly missed: MissedOrder[] = [];
}
