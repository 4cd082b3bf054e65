import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { sessionIn } from './session-cookie.ts';

/** A longer secret cannot be a key and is not looked up. */
const MAX_SECRET_LENGTH = 256;

/**
 * The secret from `Authorization: Bearer`, or else from `X-API-Key`, or else that of the browser's session. undefined if it cannot be
 * a key.
 */
export function presentedSecret(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const secret = bearer ?? headers['x-api-key']?.toString() ?? sessionIn(headers);
  return secret === undefined || secret === '' || secret.length > MAX_SECRET_LENGTH ? undefined : secret;
}

/**
 * The secret from `Authorization: Bearer`, or else from `X-API-Key`, or else that of the browser's session.
 * @throws ServiceError missing_api_key or invalid_api_key.
 */
export function secretOf(headers: IncomingHttpHeaders): string {
  const secret = presentedSecret(headers);
  if (secret !== undefined) return secret;
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization && !/^Bearer(?: |$)/i.test(authorization)) {
    throw new ServiceError('invalid_api_key', "Authorization must have the form 'Bearer <API_KEY>'.");
  }
  if (apiKey || /^Bearer +\S/i.test(authorization ?? '')) throw unknownKey();
  throw new ServiceError(
    'missing_api_key',
    "An API key is needed: send 'Authorization: Bearer <API_KEY>' or 'X-API-Key: <API_KEY>'.",
  );
}

export const unknownKey = () =>
  new ServiceError('invalid_api_key', 'The API key is unknown or has been revoked.');
