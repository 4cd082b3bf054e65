import { featureTable } from '#quant/features/build-feature-table.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Trainer } from '#quant/learning/boosting/trainer.ts';
import { type RegimeHistory, regimeHistory } from '#quant/regime/regime.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** The dataset version that a run reads. */
export interface DatasetLabel {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  /** Source of its broker rows: `none`, `real` or `synthetic`. */
  broker_data: string;
}

/** The parts of a dataset version that the thread keeps in memory. Each is computed when a run first asks for it. */
export interface MarketInMemory {
  panel: Panel;
  /** Regimes of the last day and of every earlier day. */
  regime: () => RegimeHistory;
  features: () => FeatureTable;
  trainer: () => Promise<Trainer>;
}

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
