import type { Request } from 'express';
import { idempotencyKeyMistake } from '#shared/idempotency.ts';
import type { FieldError } from '#shared/service-error.ts';

const LOC = ['header', 'Idempotency-Key'];

/** What the client names its request by; what is wrong with that goes into `mistakes`. */
export function idempotencyKeyOf(req: Request, mistakes: FieldError[]): string | undefined {
  const [key, ...others] = req.headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  const mistake =
    others.length > 0
      ? { loc: LOC, msg: 'must be given only once', type: 'multiple_values' }
      : idempotencyKeyMistake(key, LOC);
  if (mistake) mistakes.push(mistake);
  return key;
}
