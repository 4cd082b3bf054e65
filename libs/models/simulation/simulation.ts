import type { Model } from '../model/model.ts';
import { SIMULATION_ID } from './params.ts';

/** A simulation, with what workers and the API need to know about it. */
export const simulation = {
  id: SIMULATION_ID,
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
} satisfies Pick<Model, 'id' | 'screen' | 'results'>;
