import type { DeclaredRoute } from '../routing/route.ts';
import type { RenderedAnswer } from '../answers/rendered-answer.ts';
import type { RouteInput } from '../validation/validation.ts';
import { answerKey } from './answer-key.ts';
import type { FollowedDataset } from './followed-dataset.ts';

/** Answers that rest on the dataset: from memory where the same was asked of the same edition before. */
export class DatasetAnswers {
  readonly #dataset: Pick<FollowedDataset, 'edition' | 'answered'>;

  constructor(dataset: Pick<FollowedDataset, 'edition' | 'answered'>) {
    this.#dataset = dataset;
  }

  /** @throws whatever `make` throws; failures are not kept. */
  async get(
    route: DeclaredRoute,
    input: RouteInput,
    make: () => Promise<RenderedAnswer>,
  ): Promise<RenderedAnswer> {
    const edition = this.#dataset.edition;
    const key = answerKey(route, input);
    const kept = edition?.answers.get(key);
    if (kept) return kept;
    const made = await make();
    this.#dataset.answered(edition, made.datasetVersion);
    if (made.datasetVersion === edition?.version) edition?.answers.set(key, made);
    return made;
  }
}
