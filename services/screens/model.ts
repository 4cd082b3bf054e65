import type { Localised } from '#shared/text/localised.ts';
import type { TSchema } from 'typebox';
import type { Parameters, ParamsOf } from './parameters.ts';
import type { Screen, View } from './screen.ts';

/** A published model: all that the catalogue, the workers and the API need to know of it. */
export interface Model {
  id: string;
  /** Display name. */
  name: string;
  category: 'swing' | 'recovery';
  /** Version of the method: part of the fingerprint of what it learns. */
  version: string;
  params: Parameters;
  views: readonly View[];
  /** The model in plain words. */
  explanation: Record<'what' | 'when' | 'how', Localised>;
  /** Whether a run with the defaults learns, which takes up to a second instead of a moment. */
  learns: boolean;
  /** Whether it cannot run on a dataset without broker rows. */
  needsBrokerRows?: boolean;
  /** Runs that have something to show on a small market; `tickers` are stocks that trade there. */
  examples: (tickers: readonly string[]) => Example[];
  /** What runs it. Loaded by workers alone: it brings the runtime of learnt models with it. */
  screen: () => Promise<{ screen: Screen }>;
  /** Schemas of its results. Loaded by the gateway alone: they bring TypeBox with them. */
  results: () => Promise<{ results: Partial<Record<View, TSchema>> }>;
}

/** One submission of a model. */
interface Example {
  /** Full when absent. */
  view?: View;
  params: Record<string, unknown>;
}

/** The same of a model with these parameters. */
export interface ExampleOf<P extends Parameters, V extends View = View> {
  view?: V;
  params: Partial<ParamsOf<P>>;
}

/** What a declaration must agree on with itself. */
interface Tied<P extends Parameters, V extends View> {
  params: P;
  views: readonly V[];
  examples: (tickers: readonly string[]) => ExampleOf<NoInfer<P>, NoInfer<V>>[];
  screen: () => Promise<{ screen: Screen<ParamsOf<NoInfer<P>>> }>;
  results: () => Promise<{ results: Record<NoInfer<V>, TSchema> }>;
}

/** Declares a model. The compiler sees to it that its screen takes its parameters and that every view has its schema. */
export function defineModel<P extends Parameters, V extends View>(
  model: Omit<Model, keyof Tied<P, V>> & Tied<P, V>,
): Model {
  return model;
}

/** Floors low enough that a small market has stocks above them. */
export const LOW_FLOORS = { min_price: 100, min_daily_val: 100_000_000 };
