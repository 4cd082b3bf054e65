import { RunFailure } from '../run-failure.ts';
import { confluenceFilter } from './confluence-filter.ts';
import type { Screen } from './screen.ts';

const SCREENS: readonly Screen[] = [confluenceFilter];
const BY_MODEL = new Map(SCREENS.map((screen) => [screen.modelId, screen]));

/** @throws RunFailure for a model whose screen this worker does not have. */
export function screenOf(modelId: string): Screen {
  const screen = BY_MODEL.get(modelId);
  if (!screen) throw new RunFailure('Model ini belum dapat dijalankan di server ini.');
  return screen;
}
