import { codeOf } from '#foundation/text/codes.ts';
import { LANGUAGES, type Language } from '#foundation/text/languages.ts';
import type { DeclaredRoute } from '../declarations/route.ts';
import type { RenderedResponse } from '../responses/rendered-response.ts';
import type { RouteInput } from '../validation/validation.ts';
import type { Edition, FollowedDataset } from './followed-dataset.ts';

/** An answer that shows how fresh the dataset is may come from another copy of the service than the edition, with other news. */
const FRESHNESS_LIFETIME_MS = 60_000;

/** Caches answers that rest on the dataset. A request that was made before in the same edition is answered from memory. */
export class DatasetResponses {
  readonly #dataset: Pick<FollowedDataset, 'edition' | 'answered'>;

  constructor(dataset: Pick<FollowedDataset, 'edition' | 'answered'>) {
    this.#dataset = dataset;
  }

  /** @throws whatever `make` throws; failures are not cached. */
  get(
    route: DeclaredRoute,
    requested: QueryOptions,
    make: () => Promise<RenderedResponse>,
  ): RenderedResponse | Promise<RenderedResponse> {
    const edition = this.#dataset.edition;
    requested.responseKey ??= responseKey(route, requested);
    const key = editionKey(route, edition) + requested.responseKey;
    return edition?.answers.get(key) ?? this.#made(make, edition, key, lifetimeOf(route));
  }

  async #made(
    make: () => Promise<RenderedResponse>,
    edition: Edition | undefined,
    key: string,
    lifetime: { ttl: number } | undefined,
  ): Promise<RenderedResponse> {
    const made = await make();
    this.#dataset.answered(edition, made.datasetVersion);
    if (made.datasetVersion === edition?.version) edition?.answers.set(key, made, lifetime);
    return made;
  }
}

/** Sets apart the answers of one edition, if they show what changes during it. */
function editionKey({ showsFreshness }: DeclaredRoute, edition: Edition | undefined): string {
  return showsFreshness ? JSON.stringify(edition?.freshness) : '';
}

function lifetimeOf({ showsFreshness }: DeclaredRoute): { ttl: number } | undefined {
  return showsFreshness ? { ttl: FRESHNESS_LIFETIME_MS } : undefined;
}

/** The inputs of a request. */
type QueryOptions = RouteInput & {
  /** Language of the response’s sentences, if it has any. */
  language?: Language;
};

/** Inputs whose case and outer spaces make no difference to any route, also not to the cursors in its responses. */
const TAKEN_IN_ANY_CASE = new Set([
  'ticker',
  'tickers',
  'broker_code',
  'search',
  'sector',
  'board',
  'universe',
]);

/**
 * The cache key of a request. It is equal for requests whose validated inputs have the same response: order, case and
 * explicit defaults make no difference.
 */
export function responseKey(
  { operationId }: DeclaredRoute,
  { params, query, body, language = LANGUAGES[0] }: QueryOptions,
): string {
  return `${operationId} ${language} ${JSON.stringify([params, query, body].map(ordered))}`;
}

function ordered(part: unknown): [string, unknown][] {
  return Object.entries(part ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, TAKEN_IN_ANY_CASE.has(name) ? codesOf(value) : value]);
}

function codesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(codesOf);
  return typeof value === 'string' ? codeOf(value) : value;
}
