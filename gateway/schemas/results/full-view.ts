import Type, { type TObject, type TProperties } from 'typebox';
import { BrokerData } from '../broker-data.ts';
import { named } from '../named.ts';
import { DatasetVersion } from '../quotes.ts';
import { asOf, pickCount, ResultDataset } from './common.ts';

export interface FullView {
  modelId: string;
  /** What this model says beside what all say. */
  members: TProperties;
  /** Of a row of `df_result`. */
  row: TObject;
  /** How the universe was narrowed, and what else `diag` says. */
  diag: TProperties;
}

/** The full view of a model; all have the same envelope. */
export function fullView(name: string, { modelId, members, row, diag }: FullView) {
  return named(
    name,
    Type.Object(
      {
        model_id: Type.Literal(modelId),
        view: Type.Literal('full'),
        as_of: asOf,
        target_date: asOf,
        pick_count: pickCount,
        df_result: Type.Array(named(`${name}Row`, row), {
          description:
            'The picks, best first. Numbers and display-formatted strings mixed: parse defensively.',
        }),
        ...members,
        diag: Type.Object(
          { ...diag, dataset_version: DatasetVersion, broker_data: BrokerData },
          { description: 'How the universe was narrowed, and what the run learnt.' },
        ),
        dataset: ResultDataset,
      },
      { description: `Result of ${modelId}, full view.` },
    ),
  );
}
