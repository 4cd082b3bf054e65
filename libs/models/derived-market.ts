import { featureTable } from '#quant/features/build-feature-table.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
