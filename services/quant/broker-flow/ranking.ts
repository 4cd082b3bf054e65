import type { Market } from './flow-columns.ts';
import { netShares, netValue, type Trading } from './trading.ts';

/** What a ranking compares: IDR or shares. */
export const RANKED_BY = ['value', 'shares'] as const;
export type RankedBy = (typeof RANKED_BY)[number];

type Measure = (trading: Trading) => number;

/** One side of the market, as a ranking sees it. */
export interface Side {
  /** IDR; above 0 for whoever stands on the side. */
  value: Measure;
  /** What is compared among those. */
  amount: Measure;
}

export interface Sides {
  buying: Side;
  selling: Side;
}

/**
 * Who is a buyer and who is a seller, and how large. In the regular market the net of both sides says so. In the
 * negotiated one each side counts by itself: a broker that crosses a block between two clients of its own is its
 * largest buyer and its largest seller, and has no net.
 */
export function sidesOf(market: Market, by: RankedBy): Sides {
  return market === 'REG' ? netSides(by) : grossSides(by);
}

/** By what was bought less what was sold. */
export function netSides(by: RankedBy): Sides {
  const net = by === 'value' ? netValue : netShares;
  return {
    buying: { value: netValue, amount: net },
    selling: { value: (trading) => -netValue(trading), amount: (trading) => -net(trading) },
  };
}

/** By what was bought, and by what was sold. */
export function grossSides(by: RankedBy): Sides {
  const [bought, sold]: [Measure, Measure] = [({ buyValue }) => buyValue, ({ sellValue }) => sellValue];
  return {
    buying: { value: bought, amount: by === 'value' ? bought : ({ buyShares }) => buyShares },
    selling: { value: sold, amount: by === 'value' ? sold : ({ sellShares }) => sellShares },
  };
}

/** Up to `limit` of those on a side, largest first; equal ones in the order they are given in. */
export function largest<T extends Trading>(all: readonly T[], { value, amount }: Side, limit: number): T[] {
  return all
    .filter((one) => value(one) > 0)
    .sort((a, b) => amount(b) - amount(a))
    .slice(0, limit);
}
