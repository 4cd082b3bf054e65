import { MODELS } from './registry.ts';

/** Whether runs of the model never train. They take milliseconds, and wait for none that trains: see `ThreadPool`. */
export function isQuick(modelId: string): boolean {
  return MODELS.some(({ id, learns }) => id === modelId && !learns);
}
