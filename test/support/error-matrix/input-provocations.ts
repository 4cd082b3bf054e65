import type { DeclaredInput } from '../declared-api/declared-operations.ts';
import { withInput } from '../declared-api/request-parts.ts';
import { runProvocations } from './run-provocations.ts';
import type { Attempt, Provocation, Target } from './provocation.ts';

/** How many tickers a call may name, by the contract. */
const MAX_TICKERS: Record<string, number> = { getQuotes: 50, compareStocks: 10, listTurningPoints: 50 };
/** Larger than any gateway here takes. */
const LARGE_BYTES = 200_000;

/** Requests that may be made, but not so. */
export const inputProvocations: Record<string, Provocation> = {
  invalid_request: (target) => [
    ...unknownNames(target),
    ...wrongValues(target),
    ...badBodies(target),
    ...runProvocations(target),
  ],
  invalid_cursor: ({ operation, valid }) =>
    ['nonsense', '', 'A'.repeat(60)].map((cursor) => ({
      how: `the cursor ${cursor}`,
      parts: withInput(operation, valid, 'cursor', cursor),
      place: ['query', 'cursor'],
    })),
  too_many_tickers: ({ operation, valid }) => {
    const tickers = Array.from({ length: MAX_TICKERS[operation.operationId]! + 1 }, (_, i) => `T${i}`);
    const place = [operation.takesBody ? 'body' : 'query', 'tickers'];
    return [{ how: 'one too many', parts: withInput(operation, valid, 'tickers', tickers), place }];
  },
  payload_too_large: ({ valid }) => [
    { how: 'a large body', parts: { ...valid, body: { x: 'y'.repeat(LARGE_BYTES) } } },
  ],
  consent_not_accepted: ({ operation, valid }) => [
    {
      how: 'accepted false',
      parts: withInput(operation, valid, 'accepted', false),
      place: ['body', 'accepted'],
    },
  ],
  stale_document_version: ({ operation, valid }) => [
    { how: 'an older version', parts: withInput(operation, valid, 'document_version', '0'.repeat(32)) },
  ],
};

function unknownNames({ operation, valid }: Target): Attempt[] {
  const query = { ...valid, query: { ...valid.query, surprise: '1' } };
  const attempts: Attempt[] = [{ how: 'an unknown parameter', parts: query, place: ['query', 'surprise'] }];
  if (operation.takesBody) {
    const parts = withInput(operation, valid, 'surprise', 1);
    attempts.push({ how: 'an unknown field', parts, place: ['body', 'surprise'] });
  }
  return attempts;
}

function wrongValues({ operation, valid }: Target): Attempt[] {
  return operation.inputs
    .filter((input) => input.in !== 'path')
    .flatMap((input) => wrongTexts(input).map((text) => [input, text] as const))
    .map(([input, text]) => ({
      how: `${input.name} ${text}`,
      parts: withInput(operation, valid, input.name, text),
      place: [input.in, input.name],
    }));
}

/** Values that an input cannot have, as far as its schema alone says. */
function wrongTexts({ name, schema }: DeclaredInput): string[] {
  if (name === 'Idempotency-Key') return ['x'.repeat(256)];
  if (schema.enum) return ['none-of-them', ''];
  if (schema.type !== 'integer' && schema.type !== 'number') return [];
  const { minimum, maximum } = schema;
  const beyond = [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]];
  return ['many', ...(schema.type === 'integer' ? ['1.5'] : []), ...beyond.flat().map(String)];
}

function badBodies({ operation, valid }: Target): Attempt[] {
  if (!operation.takesBody) return [];
  return ['{"tickers":', '[]', '"text"', 'null'].map((body) => ({
    how: `the body ${body}`,
    parts: { ...valid, body },
    place: ['body'],
  }));
}
