import type { Panel } from '../panel/panel.ts';
import type { Market, BrokerFlow } from './broker-flow.ts';
import { netShares, netValue, brokerTotals, type Trading } from './broker-totals.ts';
import { hasGrossRowsThroughout } from './completeness.ts';

/** What a ranking compares: IDR or shares. */
export const RANKED_BY = ['value', 'shares'] as const;
export type RankedBy = (typeof RANKED_BY)[number];

type Measure = (trading: Trading) => number;

/** One side of the market, as a ranking uses it. */
interface Side {
  /** IDR; above 0 for a broker that is on this side. */
  value: Measure;
  /** What the brokers on this side are compared by. */
  amount: Measure;
}

interface Sides {
  buying: Side;
  selling: Side;
}

/**
 * Which brokers are buyers, which are sellers, and how large. In the regular market the net of both sides decides. In the
 * negotiated market each side counts separately: a broker that crosses a block between two of its own clients is both the
 * largest buyer and the largest seller, and its net is 0.
 */
export function sidesOf(market: Market, by: RankedBy): Sides {
  return market === 'REG' ? netSides(by) : grossSides(by);
}

/** Sides by net: bought less sold. */
export function netSides(by: RankedBy): Sides {
  const net = by === 'value' ? netValue : netShares;
  return {
    buying: { value: netValue, amount: net },
    selling: { value: (trading) => -netValue(trading), amount: (trading) => -net(trading) },
  };
}

/** Sides by gross purchases and gross sales. */
export function grossSides(by: RankedBy): Sides {
  const [bought, sold]: [Measure, Measure] = [({ buyValue }) => buyValue, ({ sellValue }) => sellValue];
  return {
    buying: { value: bought, amount: by === 'value' ? bought : ({ buyShares }) => buyShares },
    selling: { value: sold, amount: by === 'value' ? sold : ({ sellShares }) => sellShares },
  };
}

/** Up to `limit` entries on a side, largest first. Ties keep the order in which they were given. */
export function largest<T extends Trading>(all: readonly T[], { value, amount }: Side, limit: number): T[] {
  return all
    .filter((one) => value(one) > 0)
    .sort((a, b) => amount(b) - amount(a))
    .slice(0, limit);
}

/** Brokers (indices) with the largest gross side of a stock's negotiated trades; -1 when unknown or when there is none. */
interface NegoLeaders {
  buyer: number;
  seller: number;
}

const { buying, selling } = sidesOf('NEGO', 'value');

/**
 * The brokers that bought and sold the most value of `ticker` (index) in negotiated trades of the days `firstDay` to
 * `lastDay` (calendar indices, both included); on a tie, the first by code. Unknown unless there are gross rows for every day
 * with such trades: a missing broker might have been larger.
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
