import { createHash } from 'node:crypto';
import type { ScreenInput } from '../screen.ts';

/**
 * SHA-256, in hex, over what was asked for and the very numbers learnt from and scored, so that another way to compute a
 * feature is another fingerprint too.
 */
function fingerprint(
  inputs: Record<string, unknown>,
  numbers: readonly (Uint8Array | Float32Array | Float64Array)[],
): string {
  const hash = createHash('sha256').update(canonicalJson(inputs));
  for (const bytes of numbers) hash.update(bytes);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** JSON with the members of every object in order of their names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Where a learnt model comes from. */
export interface Provenance {
  model_id: string;
  version: string;
  dataset_version: string;
  /** Day analysed, YYYY-MM-DD. */
  as_of: string;
  seed: number;
  training: {
    /** First and last day learnt from, YYYY-MM-DD. */
    from: string;
    to: string;
    /** Trading days from the first to the last. */
    days: number;
    rows: number;
  };
  fingerprint: string;
}

/** What a run has learnt from, and how. */
export interface Lesson {
  modelId: string;
  /** Version of the method. */
  version: string;
  /** Calendar index of the analysed day. */
  day: number;
  seed: number;
  /** Calendar day of each row learnt from, ascending. */
  days: Uint16Array;
  /** How it learns, so far as neither the run's parameters nor the version say it. */
  method: Record<string, unknown>;
  /** What is learnt from and what is scored, number by number. */
  numbers: readonly (Uint8Array | Float32Array | Float64Array)[];
}

export function provenanceOf(
  { panel, dataset, params, view }: Pick<ScreenInput, 'panel' | 'dataset' | 'params' | 'view'>,
  { modelId, version, day, seed, days, method, numbers }: Lesson,
): Provenance {
  const { dates } = panel.columns;
  const told = {
    model_id: modelId,
    version,
    dataset_version: dataset.version,
    as_of: dates[day]!,
    seed,
    training: {
      ...{ from: dates[days[0]!]!, to: dates[days.at(-1)!]! },
      ...{ days: spannedDays(days), rows: days.length },
    },
  };
  const inputs = { ...told, view, params: { ...params, analysis_date: told.as_of }, ...method };
  return { ...told, fingerprint: fingerprint(inputs, numbers) };
}

/** Trading days from the first to the last of ascending calendar days. */
export function spannedDays(days: Uint16Array): number {
  return days.at(-1)! - days[0]! + 1;
}
