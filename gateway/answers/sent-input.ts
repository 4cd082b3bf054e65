import type { Request } from 'express';
import type { FieldError } from '#shared/service-error.ts';

/** Headers that a mistake may name. No other is repeated: one of them holds the key. */
const REPEATED_HEADERS = ['content-type', 'idempotency-key', 'x-end-user'];

/**
 * What a request sent at the place of a mistake: text of the query as it was written, members of the body as JSON has
 * them. undefined where nothing was sent, or the place is the whole of a part.
 */
export function sentInput(req: Request, [part, name, ...path]: FieldError['loc']): unknown {
  if (name === undefined) return undefined;
  if (part === 'query') return ownMember(req.query, name);
  if (part === 'header') {
    const header = String(name).toLowerCase();
    return REPEATED_HEADERS.includes(header) ? req.headers[header] : undefined;
  }
  return part === 'body' ? [name, ...path].reduce<unknown>(ownMember, req.body) : undefined;
}

function ownMember(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
