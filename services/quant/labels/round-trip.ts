import { BUY_FEE, SELL_FEE } from '../exchange/trading-fees.ts';
import { tickSize } from '../exchange/tick-size.ts';

/** What is paid for a share in the end when it is bought one tick above `price`; IDR. */
export function costOfBuying(price: number): number {
  return (price + tickSize(price)) * (1 + BUY_FEE);
}

/** What is left of a share that is sold at `price`; IDR. */
export function proceedsOfSelling(price: number): number {
  return price * (1 - SELL_FEE);
}

/** `price` less one tick: what an order that cannot wait gets; IDR. */
export function oneTickBelow(price: number): number {
  return price - tickSize(price);
}
