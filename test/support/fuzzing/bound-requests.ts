import { FuzzRequest, type RequestDraft } from './fuzz-request.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './openapi-document.ts';

/**
 * Requests at the edge of what each input may be, made of one that is valid: every bound and every word, which must be
 * answered, and the numbers one beyond each bound, which must be refused.
 */
export function boundRequests(operation: Operation, draft: RequestDraft): FuzzRequest[] {
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const inBody = Object.entries(operation.body?.properties ?? {});
  return [
    ...inQuery.flatMap(({ name, schema }) =>
      edges(schema).map(({ value, isAllowed }) => {
        const query = withValue(draft.query, name, encodeURIComponent(value));
        return requestOf(operation, { ...draft, query }, isAllowed, ['query', name]);
      }),
    ),
    ...inBody.flatMap(([name, schema]) =>
      edges(schema).map(({ value, isAllowed }) => {
        const text = schema.enum ? JSON.stringify(value) : String(value);
        const body = withValue(draft.body as RequestDraft['query'], name, text);
        return requestOf(operation, { ...draft, body }, isAllowed, ['body', name]);
      }),
    ),
  ];
}

interface Edge {
  value: string | number;
  isAllowed: boolean;
}

function edges({ enum: words = [], minimum, maximum }: JsonSchema): Edge[] {
  return [
    ...words.map((value) => ({ value, isAllowed: true })),
    ...(minimum === undefined ? [] : [allowed(minimum), refused(minimum - 1)]),
    ...(maximum === undefined ? [] : [allowed(maximum), refused(maximum + 1)]),
  ];
}

const allowed = (value: number): Edge => ({ value, isAllowed: true });
const refused = (value: number): Edge => ({ value, isAllowed: false });

function requestOf(
  operation: Operation,
  draft: RequestDraft,
  isAllowed: boolean,
  place: string[],
): FuzzRequest {
  const refusal = { status: 422, code: 'invalid_request', places: [place] };
  return new FuzzRequest(operation, draft, isAllowed ? undefined : refusal);
}

function withValue(values: RequestDraft['query'], name: string, text: string): RequestDraft['query'] {
  return [...values.filter(([other]) => other !== name), [name, text]];
}
