import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { KeyCache } from './key-cache.ts';

/** Anything longer is no key of ours and is not worth a look-up. */
const MAX_SECRET_LENGTH = 256;

/** Finds out whose key the request carries. `countRefusal` hears of secrets that are nobody's, before the answer. */
export function authenticate(keys: KeyCache, countRefusal: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const refuse = (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_api_key') return next(error);
      return countRefusal(req, res, (limited?: unknown) => next(limited ?? error));
    };
    return identify(keys, req.headers).then((key) => {
      req.context.key = key;
      next();
    }, refuse);
  };
}

async function identify(keys: KeyCache, headers: IncomingHttpHeaders): Promise<ApiKey> {
  const key = await keys.find(secretOf(headers));
  if (key.disabled) throw new ServiceError('key_disabled', 'The API key is disabled.');
  return key;
}

/** The secret of `Authorization: Bearer`, or of `X-API-Key` where there is none. */
function secretOf(headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const apiKey = headers['x-api-key'];
  const secret = bearer ?? (Array.isArray(apiKey) ? apiKey.join(', ') : apiKey);
  if (secret) {
    if (secret.length > MAX_SECRET_LENGTH)
      throw new ServiceError('invalid_api_key', 'The API key is unknown.');
    return secret;
  }
  if (headers.authorization && !/^Bearer$/i.test(headers.authorization)) {
    throw new ServiceError('invalid_api_key', "Authorization must have the form 'Bearer <API_KEY>'.");
  }
  throw new ServiceError(
    'missing_api_key',
    "An API key is needed: send 'Authorization: Bearer <API_KEY>' or 'X-API-Key: <API_KEY>'.",
  );
}
