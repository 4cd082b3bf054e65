import { netValue, type BrokerTotal } from './broker-totals.ts';
import type { FlowBrokers } from './broker-flow.ts';
import { grossSides, largest, netSides } from './ranking.ts';

/** Totals of all brokers of a stock. Values in IDR, shares adjusted to the span's as-of day. */
interface ClassTotals {
  buyValue: number;
  sellValue: number;
  buyShares: number;
  sellShares: number;
  /** Trades through foreign brokers. */
  foreignBuyValue: number;
  foreignSellValue: number;
  /** Trades through retail brokers, bought less sold. */
  retailNetValue: number;
  /** Trades through all other brokers, mostly local institutions. Foreign, retail and this net add up to bought less sold. */
  bandarNetValue: number;
  /** Net of the five largest net buyers. */
  top5BuyerNetValue: number;
  /** Net of the five largest net sellers; not positive. */
  top5SellerNetValue: number;
  /** Share of the five largest buyers in `buyValue`, both gross, 0 to 1; null when nothing was bought. */
  concentration: number | null;
}

const TOP = 5;

export function classTotals(brokers: FlowBrokers, totals: readonly BrokerTotal[]): ClassTotals {
  const isForeign = ({ broker }: BrokerTotal) => brokers.isForeign[broker] === 1;
  const isRetail = ({ broker }: BrokerTotal) => brokers.isRetail[broker] === 1;
  const isOther = (total: BrokerTotal) => !isForeign(total) && !isRetail(total);
  const { buying, selling } = netSides('value');
  const buyValue = sum(totals, bought);
  return {
    buyValue,
    sellValue: sum(totals, sold),
    buyShares: sum(totals, ({ buyShares }) => buyShares),
    sellShares: sum(totals, ({ sellShares }) => sellShares),
    foreignBuyValue: sum(totals.filter(isForeign), bought),
    foreignSellValue: sum(totals.filter(isForeign), sold),
    retailNetValue: sum(totals.filter(isRetail), netValue),
    bandarNetValue: sum(totals.filter(isOther), netValue),
    top5BuyerNetValue: sum(largest(totals, buying, TOP), netValue),
    top5SellerNetValue: sum(largest(totals, selling, TOP), netValue),
    concentration:
      buyValue > 0 ? sum(largest(totals, grossSides('value').buying, TOP), bought) / buyValue : null,
  };
}

const bought = ({ buyValue }: BrokerTotal) => buyValue;
const sold = ({ sellValue }: BrokerTotal) => sellValue;

function sum(totals: readonly BrokerTotal[], amountOf: (total: BrokerTotal) => number): number {
  return totals.reduce((total, one) => total + amountOf(one), 0);
}
