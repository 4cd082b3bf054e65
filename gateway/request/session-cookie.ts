import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse, serialize } from 'cookie';
import type { RequestHandler } from 'express';
import { sameSecret } from '#platform/grpc/callers.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

export const SESSION_COOKIE = 'saring_session';
/** Sent with every change that a session makes. A page of another origin cannot read it. */
export const CSRF_HEADER = 'X-CSRF-Token';
/** The keys service ends a session earlier than the browser forgets it. */
const KEPT_SECONDS = 30 * 24 * 3_600;
/** Methods that change nothing. */
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The secret of the session that a browser is signed in with. A cookie counts only if the request has no key, and comes from a page of
 * this gateway, which browsers say of every request.
 */
export function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  const { cookie, authorization, 'x-api-key': apiKey, 'sec-fetch-site': site } = headers;
  if (cookie === undefined || authorization !== undefined || apiKey !== undefined) return undefined;
  return site === undefined || site === 'same-origin' ? parse(cookie)[SESSION_COOKIE] : undefined;
}

/**
 * Refuses a change by a session without its token (csrf_token_required). `SameSite` keeps the cookie from requests of other sites
 * already; this holds for other origins of the same site too, and for browsers that know neither.
 */
export const requireCsrfToken: RequestHandler = ({ method, headers }, _res, next) => {
  const session = sessionIn(headers);
  if (session === undefined || SAFE.includes(method)) return next();
  const sent = headers[CSRF_HEADER.toLowerCase()];
  if (typeof sent !== 'string' || !sameSecret(sent, csrfTokenOf(session)))
    throw new ServiceError('csrf_token_required', `A session must send its token as ${CSRF_HEADER}.`);
  next();
};

/** Follows from the secret, so that every gateway knows it and none stores it. */
export function csrfTokenOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update('csrf').digest('base64url');
}

/**
 * The `Set-Cookie` header that signs a browser in. No script can read the cookie, and no other site can have it sent.
 * @param keep whether the browser stays signed in when it is closed
 */
export function sessionCookie(req: IncomingMessage, secret: string, { keep }: { keep: boolean }): string {
  return serialize(SESSION_COOKIE, secret, { ...attributesFor(req), ...(keep && { maxAge: KEPT_SECONDS }) });
}

/** The `Set-Cookie` header that signs a browser out. */
export function endedCookie(req: IncomingMessage): string {
  return serialize(SESSION_COOKIE, '', { ...attributesFor(req), maxAge: 0 });
}

/** A proxy that ends TLS says so. A client that claims it wrongly only loses its own cookie. */
function attributesFor({ headers }: IncomingMessage) {
  const secure = headers['x-forwarded-proto'] === 'https';
  return { path: '/api/v1', httpOnly: true, sameSite: 'strict', secure } as const;
}
