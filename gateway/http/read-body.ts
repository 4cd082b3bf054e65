import express, { type Request, type Response } from 'express';
import { ServiceError } from '#shared/service-error.ts';

/** Deeper JSON is refused here: the services' own decoders stop at about twice this depth. */
const MAX_DEPTH = 16;

export type BodyReader = (req: Request, res: Response) => Promise<unknown>;

/** Reads JSON bodies of at most `limitBytes`. No body at all is an empty object. */
export function bodyReader(limitBytes: number): BodyReader {
  const parse = express.json({ limit: limitBytes, type: () => true, strict: false });
  return async (req, res) => {
    refuseOthers(req, limitBytes);
    await new Promise<void>((resolve, reject) => {
      parse(req, res, (error?: Error) => (error ? reject(error) : resolve()));
    });
    const body: unknown = req.body === undefined ? {} : req.body;
    refuseUnsafe(body);
    return body;
  };
}

/** By the headers alone, so that a body that will be refused is not read first. */
function refuseOthers(req: Request, limitBytes: number): void {
  const declaredBytes = Number(req.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) {
    throw new ServiceError('payload_too_large', `The body may have at most ${limitBytes} bytes.`);
  }
  const hasBody = declaredBytes > 0 || req.headers['transfer-encoding'] !== undefined;
  if (hasBody && !req.is(['application/json', 'application/*+json'])) {
    const msg = 'must be application/json';
    const detail = [{ loc: ['header', 'Content-Type'], msg, type: 'content_type' }];
    throw new ServiceError('invalid_request', `Content-Type: ${msg}`, { detail });
  }
}

/** Walks without recursion: a body of brackets alone would otherwise exhaust the stack here or further on. */
function refuseUnsafe(body: unknown): void {
  let level = [body];
  for (let depth = 1; level.length > 0; depth++) {
    const containers = level.filter((value) => typeof value === 'object' && value !== null);
    if (depth > MAX_DEPTH && containers.length > 0) {
      refuse(`The body is nested deeper than ${MAX_DEPTH} levels.`, 'json_too_deep');
    }
    // As a name it would vanish silently on the way to the services instead of being refused there.
    if (containers.some((container) => Object.hasOwn(container, '__proto__'))) {
      refuse("The body uses the name '__proto__', which no field has.", 'extra_forbidden');
    }
    level = containers.flatMap((container) => Object.values(container as Record<string, unknown>));
  }
}

function refuse(msg: string, type: string): never {
  throw new ServiceError('invalid_request', msg, { detail: [{ loc: ['body'], msg, type }] });
}
