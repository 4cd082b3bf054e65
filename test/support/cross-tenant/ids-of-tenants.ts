import { namesOf, type DeclaredOperation } from '../declared-api/declared-operations.ts';
import type { ApiAnswer } from '../declared-api/request-parts.ts';

/** How an id that belongs to another key is answered, by the name of the input that takes it: as `outcomeOf` has it. */
export const ANSWERS_TO_FOREIGN_IDS = {
  job_id: '404 job_not_found',
  event_id: '404 usage_event_not_found',
  end_user_id: '200 with 0',
  end_user: '200 with 0',
} as const;

/** Only operators may send it; and those, which come from lists, not from a tenant. */
const OF_OTHER_TESTS = ['api_key_id', 'cursor'];
/** Mean the same to everybody. */
const COMMON_IDS = ['model_id', 'ticker', 'broker_code', 'document_id'];

/** Inputs of the operation that look like ids and of which nobody has said whose. */
export function unclassifiedIds(operation: DeclaredOperation): string[] {
  const inQuery = namesOf(operation, 'query').filter((name) => /_id$|cursor|user|job|event|key/.test(name));
  const known = [...Object.keys(ANSWERS_TO_FOREIGN_IDS), ...OF_OTHER_TESTS, ...COMMON_IDS];
  return [...namesOf(operation, 'path'), ...inQuery].filter((name) => !known.includes(name));
}

/** Each such id with each operation that takes it. */
export function takersOfIds(operations: DeclaredOperation[]) {
  const ids = Object.keys(ANSWERS_TO_FOREIGN_IDS) as (keyof typeof ANSWERS_TO_FOREIGN_IDS)[];
  return operations.flatMap((operation) => {
    const names = [...namesOf(operation, 'path'), ...namesOf(operation, 'query')];
    return ids.filter((id) => names.includes(id)).map((id) => ({ id, operation, ...operation }));
  });
}

/** Status and code of a refusal; status and number of what is listed of anything else. */
export function outcomeOf({ status, text }: ApiAnswer): string {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string }; count?: number };
  if (body.error) return `${status} ${body.error.code}`;
  return body.count === undefined ? `${status}` : `${status} with ${body.count}`;
}
