import { LANGUAGES, type Language } from '#shared/text/languages.ts';
import type { DeclaredRoute } from '../routing/route.ts';
import type { RenderedAnswer } from '../answers/rendered-answer.ts';
import type { RouteInput } from '../validation/validation.ts';
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
    asked: Asked,
    make: () => Promise<RenderedAnswer>,
  ): Promise<RenderedAnswer> {
    const edition = this.#dataset.edition;
    const key = answerKey(route, asked);
    const kept = edition?.answers.get(key);
    if (kept) return kept;
    const made = await make();
    this.#dataset.answered(edition, made.datasetVersion);
    if (made.datasetVersion === edition?.version) edition?.answers.set(key, made);
    return made;
  }
}

/** What a request asks for. */
type Asked = RouteInput & {
  /** Of the answer’s sentences, where it has any. */
  language?: Language;
};

/** Inputs that every route takes in any case and answers in upper case. */
const TAKEN_IN_ANY_CASE = new Set(['ticker', 'tickers', 'broker_code']);

/**
 * What was asked, as text: equal for requests that have the same answer by their validated inputs, in whatever order
 * and case these came and whether defaults were written out or not.
 */
export function answerKey(
  { operationId }: DeclaredRoute,
  { params, query, body, language = LANGUAGES[0] }: Asked,
): string {
  return `${operationId} ${language} ${JSON.stringify([params, query, body].map(ordered))}`;
}

function ordered(part: unknown): [string, unknown][] {
  return Object.entries(part ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, TAKEN_IN_ANY_CASE.has(name) ? upperCase(value) : value]);
}

function upperCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(upperCase);
  return typeof value === 'string' ? value.toUpperCase() : value;
}
