import type { TurningPart } from './parts.ts';
import type { TurningView } from './turning-view.ts';

/** Net buying over the lookback in IDR, from per-broker rows. */
export interface BrokerFlows {
  bandarNetValue: number;
  retailNetValue: number;
}

/** Of the traded value. */
const FOREIGN_SHARE = 0.05;

/** What investors did over the lookback. Without per-broker rows only the foreign part can be told. */
export function flowParts(view: TurningView, broker?: BrokerFlows): TurningPart[] {
  const { foreignNetValue, tradedValue, retPct } = view;
  const parts: TurningPart[] = [];
  const share = tradedValue > 0 ? foreignNetValue / tradedValue : 0;
  if (share <= -FOREIGN_SHARE) parts.push({ kind: 'foreign_selling', amount: foreignNetValue });
  if (share >= FOREIGN_SHARE) parts.push({ kind: 'foreign_buying', amount: foreignNetValue });
  if (!broker || retPct === null || retPct === 0) return parts;
  const smartMoney = foreignNetValue + broker.bandarNetValue;
  const retail = broker.retailNetValue;
  const isRising = retPct > 0;
  if (isRising && smartMoney < 0) parts.push({ kind: 'smart_money_selling', amount: smartMoney });
  if (!isRising && smartMoney > 0) parts.push({ kind: 'smart_money_buying', amount: smartMoney });
  if (isRising && retail > 0) parts.push({ kind: 'retail_buying', amount: retail });
  if (!isRising && retail < 0) parts.push({ kind: 'retail_selling', amount: retail });
  return parts;
}
