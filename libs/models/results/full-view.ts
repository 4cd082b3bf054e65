import type { DatasetLabel } from '../inputs/market-in-memory.ts';

/** The form of a result. The compact one has only what an application shows. */
export type View = 'full' | 'compact';

/** The part of a full view that differs between models. */
interface OwnPart {
  modelId: string;
  /** Trading day analysed, YYYY-MM-DD. */
  asOf: string;
  /** Its fields between `target_date` and `diag`, in the order in which they are shown. */
  fields: Record<string, unknown>;
  /** How the universe was narrowed, and other facts about the run. */
  diag: object;
  /** Only without picks. */
  empty?: object | undefined;
}

/** The full view of a result: the envelope that `fullView` in `results.ts` declares, around a model's own part. */
export function fullViewOf(
  dataset: DatasetLabel,
  { modelId, asOf, fields, diag, empty }: OwnPart,
): Record<string, unknown> {
  return {
    model_id: modelId,
    view: 'full',
    as_of: asOf,
    target_date: asOf,
    ...fields,
    diag: { ...diag, dataset_version: dataset.version, broker_data: dataset.broker_data },
    dataset: { ...dataset, synthetic: dataset.kind === 'synthetic' },
    ...(empty && { empty }),
  };
}
