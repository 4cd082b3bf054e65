import path from 'node:path';
import { MODELS } from '#screens/registry.ts';
import type { Evaluation } from './evaluation.ts';
import type { EvaluationSettings } from './settings.ts';

/** The command that does it again, with the span in full; a dataset by its own name, wherever it lies. */
export function repeatCommand(
  { dataset, synthesizeBrokers, modelIds, sample }: EvaluationSettings,
  { from, to }: Evaluation['span'],
): string {
  const market =
    dataset === undefined
      ? [`SAMPLE_TICKERS=${sample.tickers}`, `SAMPLE_DAYS=${sample.days}`]
      : [`DATASET=${path.basename(dataset)}`, ...(synthesizeBrokers ? ['SYNTHESIZE_BROKERS=1'] : [])];
  const models = modelIds.length < MODELS.length ? [`MODELS=${modelIds.join(',')}`] : [];
  return ['make evaluate', ...market, `FROM=${from}`, `TO=${to}`, ...models].join(' ');
}
