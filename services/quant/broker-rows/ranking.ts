import type { Panel } from '../panel/panel.ts';
import type { Market, BrokerFlow } from './broker-flow.ts';
import { netShares, netValue, brokerTotals, type Trading } from './broker-totals.ts';
import { hasGrossRowsThroughout } from './completeness.ts';

/** What a ranking compares: IDR or shares. */
export const RANKED_BY = ['value', 'shares'] as const;
export type RankedBy = (typeof RANKED_BY)[number];

type Measure = (trading: Trading) => number;

/** One side of the market, as a ranking sees it. */
interface Side {
  /** IDR; above 0 for a broker on the side. */
  value: Measure;
  /** What is compared among those. */
  amount: Measure;
}

interface Sides {
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

/** Brokers (indices) with the largest gross side of a stock's negotiated trades; -1 when that is not known. */
interface NegoLeaders {
  buyer: number;
  seller: number;
}

const { buying, selling } = sidesOf('NEGO', 'value');

/**
 * Who bought and who sold most value of `ticker` (index) in negotiated trades of the days `firstDay` to `lastDay`
 * (calendar indices, both included), equal ones by code. Not known unless there are gross rows of every day with
 * such trades: who is missing might have been larger.
 */
export function negoLeaders(
  panel: Panel,
  flow: BrokerFlow,
  ticker: number,
  firstDay: number,
  lastDay: number,
): NegoLeaders {
  const span = { market: 'NEGO', ticker, firstDay, lastDay } as const;
  if (!hasGrossRowsThroughout(panel, flow, span)) return { buyer: -1, seller: -1 };
  const totals = brokerTotals(panel, flow, span);
  return {
    buyer: largest(totals, buying, 1)[0]?.broker ?? -1,
    seller: largest(totals, selling, 1)[0]?.broker ?? -1,
  };
}
