import type { Ajv, ValidateFunction } from 'ajv';
import type { WireAnswer } from './fuzz-client.ts';
import type { DeclaredAnswer } from './openapi-document.ts';

const WHOLE_NUMBER = /^\d+$/;

/** Compiles what an answer's headers have to be; those that it does not declare may be anything. */
export function headerValidator({ headers, schema }: DeclaredAnswer, ajv: Ajv): ValidateFunction {
  const names = Object.keys(headers);
  const hasResult = schema?.properties?.['result'] !== undefined;
  // A replay is announced where it is one, a dataset and a language where there is a result, against which they are held.
  const comeAndGo = ['Idempotent-Replayed', ...(hasResult ? ['X-Dataset-Version', 'Content-Language'] : [])];
  return ajv.compile({
    type: 'object',
    properties: headers,
    required: names.filter((name) => !comeAndGo.includes(name)),
  });
}

/** The declared headers as they came, numbers as numbers. */
export function declaredHeaders(declared: DeclaredAnswer, { headers }: WireAnswer): Record<string, unknown> {
  const came = Object.entries(declared.headers).flatMap(([name, { type }]) => {
    const text = headers[name.toLowerCase()];
    if (text === undefined) return [];
    const isNumber = type === 'integer' && WHOLE_NUMBER.test(String(text));
    return [[name, isNumber ? Number(text) : text] as const];
  });
  return Object.fromEntries(came);
}
