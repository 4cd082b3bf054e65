import type { Panel } from '../panel/panel.ts';
import type { BrokerFlow } from './broker-flow.ts';
import { brokerTotals } from './broker-totals.ts';
import { hasGrossRowsThroughout } from './completeness.ts';
import { largest, sidesOf } from './ranking.ts';

/** Brokers (indices) with the largest gross side of a stock's negotiated trades; -1 when that is not known. */
export interface NegoLeaders {
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
