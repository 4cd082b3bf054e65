import { Localised } from '#foundation/text/localised.ts';
import { combined } from './combined/model.ts';
import { confluenceFilter } from './confluence-filter/model.ts';
import { gannClassic } from './gann-classic/model.ts';
import { grossAlpha } from './gross-alpha/model.ts';
import type { Model } from './model/model.ts';
import { recovery } from './recovery/model.ts';
import { regimeAdaptive } from './regime-adaptive/model.ts';
import { RunFailure } from './inputs/run-failure.ts';
import type { Screen } from './model/screen.ts';
import { simulation } from './simulation/simulation.ts';

/** Every published model, in the order in which they are listed. */
export const MODELS: readonly Model[] = [
  regimeAdaptive,
  gannClassic,
  grossAlpha,
  confluenceFilter,
  recovery,
  combined,
];

/** Everything that a worker runs. A simulation is no model: nobody is offered one, and no screen or schedule runs one. */
export const RUNNABLE = [...MODELS, simulation] as const;

const NOT_HERE = new Localised(
  'Model ini belum dapat dijalankan di server ini.',
  'This server cannot run this model yet.',
);

/**
 * Loads everything that a worker runs before the first run, which would otherwise wait for them. The returned function
 * throws RunFailure for a model that this worker does not have.
 */
export async function loadScreens(): Promise<(modelId: string) => Screen> {
  const loading = RUNNABLE.map(async ({ id, screen }) => [id, (await screen()).screen] as const);
  const screens = new Map(await Promise.all(loading));
  return (modelId) => {
    const screen = screens.get(modelId);
    if (!screen) throw new RunFailure('model_unavailable', NOT_HERE);
    return screen;
  };
}
