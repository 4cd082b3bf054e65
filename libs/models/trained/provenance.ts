import { createHash } from 'node:crypto';
import type { LearningInput } from './learning-input.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import type { CachedModel } from './model-cache.ts';

/** The origin of a trained model. */
export interface Provenance {
  model_id: string;
  version: string;
  dataset_version: string;
  /** Day analysed, YYYY-MM-DD. */
  as_of: string;
  seed: number;
  training: {
    /** First and last day trained on, YYYY-MM-DD. */
    from: string;
    to: string;
    /** Trading days from the first to the last. */
    days: number;
    rows: number;
  };
  fingerprint: string;
}

/** The inputs that a result depends on. */
export interface ProvenanceInputs {
  modelId: string;
  /** Version of the method. */
  version: string;
  /** Calendar index of the analysed day. */
  day: number;
  seed: number;
  window: CachedModel['window'];
  /** Settings of the learning method that neither the run's parameters nor the version determine. */
  method: Record<string, unknown>;
  /** Digests over the numbers trained on and the numbers scored. */
  digests: readonly string[];
}

export function provenanceOf(
  { panel, dataset, params, view }: Pick<LearningInput, 'panel' | 'dataset' | 'view'> & { params: object },
  { modelId, version, day, seed, window, method, digests }: ProvenanceInputs,
): Provenance {
  const { dates } = panel.columns;
  const stated = {
    model_id: modelId,
    version,
    dataset_version: dataset.version,
    as_of: dates[day]!,
    seed,
    training: {
      from: dates[window.firstDay]!,
      to: dates[window.lastDay]!,
      days: window.lastDay - window.firstDay + 1,
      rows: window.rows,
    },
  };
  const inputs = { ...stated, view, params: { ...params, analysis_date: stated.as_of }, ...method };
  const fingerprint = digestOf([new TextEncoder().encode(canonicalJson({ ...inputs, digests }))]);
  return { ...stated, fingerprint };
}

/** SHA-256, in hex, over the numbers themselves, so that a different computation of a feature gives a different digest. */
export function digestOf(numbers: readonly (Uint8Array | Float32Array | Float64Array)[]): string {
  const hash = createHash('sha256');
  for (const bytes of numbers) hash.update(bytes);
  return hash.digest('hex');
}

/** Window of ascending calendar days, one per row. */
export function windowOf(days: Uint16Array): CachedModel['window'] {
  return { firstDay: days[0]!, lastDay: days.at(-1)!, rows: days.length };
}

/** Trading days from the first to the last of ascending calendar days. */
export function spannedDays(days: Uint16Array): number {
  return days.at(-1)! - days[0]! + 1;
}
