import express, { type Request, type Response } from 'express';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError, type FieldErrorType } from '#foundation/errors/service-error.ts';

/** Deeper JSON is refused here. The services' own decoders stop at about twice this depth. */
const MAX_DEPTH = 16;

export type BodyReader = (req: Request, res: Response) => Promise<unknown>;

/** Reads JSON bodies of at most `limitBytes`. An absent body is an empty object. */
export function bodyReader(limitBytes: number): BodyReader {
  const parse = express.json({ limit: limitBytes, type: () => true, strict: false });
  return async (req, res) => {
    refuseOthers(req, limitBytes);
    await new Promise<void>((resolve, reject) => {
      parse(req, res, (error?: Error) => (error ? reject(unreadable(error, limitBytes)) : resolve()));
    });
    const body: unknown = req.body === undefined ? {} : req.body;
    refuseUnsafe(body);
    return body;
  };
}

/** Checks the headers only, so that a body is not read if it will be refused. */
function refuseOthers(req: Request, limitBytes: number): void {
  const declaredBytes = Number(req.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) {
    throw tooLarge(limitBytes);
  }
  const hasBody = declaredBytes > 0 || req.headers['transfer-encoding'] !== undefined;
  if (hasBody && !req.is(['application/json', 'application/*+json'])) {
    const msg = 'must be application/json';
    throw invalidRequest([{ loc: ['header', 'Content-Type'], msg, type: 'value_error' }]);
  }
}

/** Walks without recursion: a body of nothing but brackets would otherwise exhaust the stack here or later. */
function refuseUnsafe(body: unknown): void {
  let level = [body];
  for (let depth = 1; level.length > 0; depth++) {
    const containers = level.filter((value) => typeof value === 'object' && value !== null);
    if (depth > MAX_DEPTH && containers.length > 0) {
      throw refusal(`is nested deeper than ${MAX_DEPTH} levels`, 'value_error');
    }
    // As a name, it would vanish silently on the way to the services instead of being refused there.
    if (containers.some((container) => Object.hasOwn(container, '__proto__'))) {
      throw refusal("uses the name '__proto__', which no field has", 'extra_forbidden');
    }
    level = containers.flatMap((container) => Object.values(container as Record<string, unknown>));
  }
}

/** The parser's errors are mistakes of the client, except those without a 4xx status. */
function unreadable(
  error: Error & { status?: number; type?: string; body?: unknown },
  limitBytes: number,
): Error {
  if (error.status === undefined || error.status >= 500) return error;
  if (error.status === 413) return tooLarge(limitBytes);
  if (error.type === 'entity.parse.failed')
    return refusal(`is not valid JSON: ${error.message}`, 'json_invalid', error.body);
  return refusal(`cannot be read: ${error.message}`, 'value_error');
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('payload_too_large', `The body may have at most ${limitBytes} bytes.`);
}

function refusal(msg: string, type: FieldErrorType, input?: unknown): ServiceError {
  return invalidRequest([{ loc: ['body'], msg, type, input }]);
}
