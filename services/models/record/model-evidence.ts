import { type Evidence, walkForwardEvidence } from '#models/results/evidence.ts';
import { MODELS } from '#models/registry.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import type { RecordStore } from '../store/record-store.ts';
import { forwardEvidence } from './figures.ts';

/**
 * What is known of the worth of each model: its forward record where that is long enough, the walk-forward figure otherwise. It is
 * kept in memory, so that no response waits for it, or fails without the database.
 */
export class ModelEvidence {
  readonly #record: Pick<RecordStore, 'lastChange' | 'runsOf'>;
  readonly #forward = new Map<string, Evidence>();
  /** The last entry that was read, by model. */
  readonly #readUpTo = new Map<string, number>();

  constructor(record: Pick<RecordStore, 'lastChange' | 'runsOf'>) {
    this.#record = record;
  }

  /** Undefined for a model that was not measured. */
  of(modelId: string): Evidence | undefined {
    return this.#forward.get(modelId) ?? walkForwardEvidence(modelId);
  }

  /** Reads the daily runs of each model whose record has changed. Runs on generated markets say nothing about worth. */
  async refresh(): Promise<void> {
    for (const { id: model_id } of MODELS.filter(({ picks }) => picks)) {
      const { api_key_id } = OPERATOR;
      const last = await this.#record.lastChange(model_id, api_key_id);
      if (last === this.#readUpTo.get(model_id)) continue;
      const evidence = forwardEvidence(
        await this.#record.runsOf({ model_id, api_key_id, dataset_kind: 'real' }),
      );
      if (evidence) this.#forward.set(model_id, evidence);
      else this.#forward.delete(model_id);
      this.#readUpTo.set(model_id, last);
    }
  }
}
