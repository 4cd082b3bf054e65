import type { Localised } from '#foundation/text/localised.ts';
import type { TSchema } from 'typebox';
import type { BrokerNeeds, DataNeeds } from '../inputs/data-needs.ts';
import type { LearningDays } from '../inputs/history.ts';
import { tickers, type Hopeless, type Parameters, type ParamsOf } from '../inputs/parameters.ts';
import type { Screen } from './screen.ts';
import type { View } from '../results/full-view.ts';

/** A published model, with everything that the catalogue, the workers and the API need to know about it. */
export interface Model extends DataNeeds {
  id: string;
  /** Display name. */
  name: string;
  category: 'swing' | 'recovery';
  /** Version of the method. It is part of the fingerprint of what the model learns. */
  version: string;
  params: Parameters;
  views: readonly View[];
  /** The model in plain words. */
  explanation: Record<'what' | 'when' | 'how', Localised>;
  /** Whether it picks among the stocks of the market. The others judge what they are given. */
  picks: boolean;
  /** Whether a run with the defaults learns. Such a run takes up to a second. */
  learns: boolean;
  /** Why every run with these parameters fails, whatever the data. Undefined if runs can succeed. */
  whyHopeless?(this: void, params: Record<string, unknown>): Hopeless | undefined;
  /** Runs that have picks or other output on a small market. `tickers` are stocks that trade there. */
  examples: (tickers: readonly string[]) => Example[];
  /** Loads the code that runs the model. Only workers load it, because it brings the runtime of trained models with it. */
  screen: () => Promise<{ screen: Screen }>;
  /** Loads the schemas of its results. Only the gateway loads them, because they bring TypeBox with them. */
  results: () => Promise<{ results: Partial<Record<View, TSchema>> }>;
}

/** An example submission of a model. */
interface Example {
  /** Full if absent. */
  view?: View;
  params: Record<string, unknown>;
}

/** An example submission of a model with these parameters. */
export interface ExampleOf<P extends Parameters, V extends View = View> {
  view?: V;
  params: Partial<ParamsOf<P>>;
}

/** The parts of a declaration that must match each other. */
interface Tied<P extends Parameters, V extends View> {
  params: P;
  views: readonly V[];
  leastDays(this: void, params: ParamsOf<NoInfer<P>>): number;
  learnsFrom?(this: void, params: ParamsOf<NoInfer<P>>): LearningDays | undefined;
  brokerNeeds?: BrokerNeeds<ParamsOf<NoInfer<P>>>;
  whyHopeless?(this: void, params: ParamsOf<NoInfer<P>>): Hopeless | undefined;
  examples: (tickers: readonly string[]) => ExampleOf<NoInfer<P>, NoInfer<V>>[];
  screen: () => Promise<{ screen: Screen<ParamsOf<NoInfer<P>>> }>;
  results: () => Promise<{ results: Record<NoInfer<V>, TSchema> }>;
}

/** Declares a model, which has the common parameter `tickers` besides its own. The compiler checks that its screen takes its parameters and that every view has a schema. */
export function defineModel<P extends Parameters, V extends View>(
  model: Omit<Model, keyof Tied<P, V>> & Tied<P, V>,
): Model {
  return { ...model, params: { ...model.params, tickers } };
}

/** Floors low enough for a small market to have stocks above them. */
export const LOW_FLOORS = { min_price: 100, min_daily_val: 100_000_000 };
