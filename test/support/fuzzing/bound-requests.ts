import { FuzzRequest, type Place, type Refusal, type RequestDraft } from './fuzz-request.ts';
import { edgesOf, type JsonSchema, type Edge } from './json-schema.ts';
import type { Operation, Parameter } from './openapi-document.ts';
import { MISSING_END_USER, refusalOf, STALE_VERSION } from './damages.ts';
import { queryText } from './valid-requests.ts';

/**
 * Requests at the edge of what each input may be, made of one that is valid and comes first: every bound and every
 * word, which must be answered, and what is one beyond each bound, which must be refused.
 */
export function boundRequests(operation: Operation, draft: RequestDraft): FuzzRequest[] {
  // A key that the first of them used would be in conflict with every other.
  const { 'Idempotency-Key': _, ...headers } = draft.headers;
  const base = { ...draft, headers };
  return [
    new FuzzRequest(operation, base),
    ...operation.parameters.flatMap((parameter) =>
      edgesOf(parameter.schema)
        .filter((edge) => canBeSent(parameter, edge))
        .map((edge) => {
          const refusal = refusalAt([parameter.in, parameter.name], edge);
          return new FuzzRequest(operation, withParameter(base, parameter, String(edge.value)), refusal);
        }),
    ),
    ...fieldsOf(operation.body).flatMap(([name, edge]) => {
      const body = withValue(base.body as RequestDraft['query'], name, JSON.stringify(edge.value));
      return new FuzzRequest(operation, { ...base, body }, refusalAt(['body', name], edge));
    }),
  ];
}

function fieldsOf(body: JsonSchema | undefined): (readonly [string, Edge])[] {
  return Object.entries(body?.properties ?? {}).flatMap(([name, schema]) =>
    edgesOf(schema).map((edge) => [name, edge] as const),
  );
}

/** A path without its id is another path. */
function canBeSent(parameter: Parameter, { value }: Edge): boolean {
  return parameter.in !== 'path' || value !== '';
}

function refusalAt(place: Place, { value, isAllowed }: Edge): Refusal | undefined {
  const name = place[1];
  if (isAllowed) return name === 'document_version' ? STALE_VERSION : undefined;
  return name === 'X-End-User' && value === '' ? MISSING_END_USER : refusalOf(place);
}

function withParameter(draft: RequestDraft, parameter: Parameter, text: string): RequestDraft {
  const { name } = parameter;
  if (parameter.in === 'path') return { ...draft, path: { ...draft.path, [name]: queryText(text) } };
  if (parameter.in === 'header') return { ...draft, headers: { ...draft.headers, [name]: text } };
  return { ...draft, query: withValue(draft.query, name, queryText(text)) };
}

function withValue(values: RequestDraft['query'], name: string, text: string): RequestDraft['query'] {
  return [...values.filter(([other]) => other !== name), [name, text]];
}
