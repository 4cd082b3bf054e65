import { featureTable } from '#quant/features/build-feature-table.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { MarketInMemory } from './screen.ts';

/** A panel and the data computed from it alone. */
export type DerivedMarket = Omit<MarketInMemory, 'trainer'>;

/** Everything is computed once, when it is first needed. */
export function derivedMarket(panel: Panel): DerivedMarket {
  const regime = once(() => regimeHistory(panel));
  const features = once(() => featureTable(panel, regime()));
  return { panel, regime, features };
}

/** The market made last for each market, of what was known earlier. */
const earlier = new WeakMap<DerivedMarket, DerivedMarket>();

/**
 * The market as it was known on the day that a run analyses. If a corporate action became known only later, prices before it are
 * restated differently, and so is everything computed from them.
 */
export function marketKnownOn(market: DerivedMarket, analysisDate: string): DerivedMarket {
  const panel = panelKnownOn(market.panel, market.panel.dayOnOrBefore(analysisDate));
  if (panel === market.panel) return market;
  const last = earlier.get(market);
  if (last?.panel === panel) return last;
  const known = derivedMarket(panel);
  earlier.set(market, known);
  return known;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
