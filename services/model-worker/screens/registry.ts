import { RunFailure } from './run-failure.ts';
import { modelFCombined } from './combined/combined.ts';
import { confluenceFilter } from './confluence-filter.ts';
import { gannClassic } from './gann/gann-classic.ts';
import { grossAlpha } from './gross-alpha/gross-alpha.ts';
import { recoveryV4 } from './recovery/recovery-v4.ts';
import { regimeAdaptive } from './regime-adaptive/regime-adaptive.ts';
import type { Screen } from './screen.ts';

const SCREENS: readonly Screen[] = [
  regimeAdaptive,
  gannClassic,
  grossAlpha,
  confluenceFilter,
  recoveryV4,
  modelFCombined,
];
const BY_MODEL = new Map(SCREENS.map((screen) => [screen.modelId, screen]));

/** @throws RunFailure for a model whose screen this worker does not have. */
export function screenOf(modelId: string): Screen {
  const screen = BY_MODEL.get(modelId);
  if (!screen) throw new RunFailure('Model ini belum dapat dijalankan di server ini.');
  return screen;
}
