import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { sameSecret } from '#platform/grpc/callers.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { GatewayConfig } from '../config.ts';
import type { KeyCache } from './key-cache.ts';
import type { RefusalBudget } from './rate-limit.ts';
import type { UnauthenticatedBudget } from './unauthenticated-budget.ts';
import { presentedSecret, secretOf, unknownKey } from '../request/credentials.ts';
import type { Access } from '../declarations/route.ts';

/**
 * Finds the key of the request. Unknown secrets are counted per address. Once an address has tried too many, it
 * causes no more look-ups: only keys that were found valid before are let in from there.
 */
export function authenticate(
  keys: KeyCache,
  unauthenticated: UnauthenticatedBudget,
  refusals: RefusalBudget,
): RequestHandler {
  return (req, res, next) => {
    const secret = secretOf(req.headers);
    const refuse = (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_api_key') return next(error);
      unauthenticated.countRefusedKey(req);
      return refusals.count(req, res, (limited?: unknown) => next(limited ?? error));
    };
    const admit = (key: ApiKey) => {
      req.context.key = key;
      next();
    };
    const findUnknown = async () => {
      if (await refusals.isSpent(req)) throw unknownKey();
      return keys.find(secret, req.context);
    };
    const found = keys.findKnown(secret, req.context) ?? findUnknown();
    return found instanceof Promise ? found.then(admit, refuse) : admit(found);
  };
}

/** Refuses disabled keys. Runs after the rate limit, so that disabled keys are limited too. */
export const refuseDisabled: RequestHandler = (req, _res, next) => {
  requireEnabled(req.context.key);
  next();
};

/** @throws ServiceError key_disabled */
export function requireEnabled(key: ApiKey | undefined): void {
  if (key?.disabled) throw new ServiceError('key_disabled', 'The API key is disabled.');
}

/** Refuses a key that lacks the route's scope. Operator routes pass: the operator is authenticated before any of them. */
export function requireScope(access: Access, key: ApiKey | undefined): void {
  if (access === 'anybody' || access === 'the operator') return;
  if (!key) throw new ServiceError('missing_api_key', 'This endpoint needs an API key.');
  if (access === 'any key' || key.scopes.includes(access)) return;
  throw new ServiceError(
    'insufficient_scope',
    `This endpoint needs the scope ${access}, which the key lacks.`,
  );
}

/** Whether the operator's endpoints are served. Behind a proxy, a gateway on loopback answers the world. */
export function servesOperator(config: GatewayConfig): boolean {
  const { HOST, OPERATOR_API, OPERATOR_TOKEN_SHA256, TRUSTED_PROXIES } = config;
  if (OPERATOR_TOKEN_SHA256 === '' || OPERATOR_API === 'off') return false;
  return OPERATOR_API === 'on' || (isLoopback(HOST) && TRUSTED_PROXIES === 0);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Authenticates the operator. The gateway holds only a hash of the token: its calls to services carry the token of
 * the request, and each service checks it again. Wrong tokens count like unknown keys from the address.
 */
export function authenticateOperator(
  { OPERATOR_TOKEN_SHA256 }: GatewayConfig,
  refusals: RefusalBudget,
): RequestHandler {
  const hashes = secretsIn(OPERATOR_TOKEN_SHA256);
  return (req, res, next) => {
    const token = presentedSecret(req.headers);
    const presented = token && hash('sha256', token, 'hex');
    if (presented && hashes.some((accepted) => sameSecret(presented, accepted))) {
      req.context.operatorToken = token;
      return next();
    }
    const refusal = new ServiceError(
      'operator_token_required',
      "This endpoint needs the operator's token: send 'Authorization: Bearer <OPERATOR_TOKEN>'.",
    );
    if (token === undefined) return next(refusal);
    return refusals.count(req, res, (limited?: unknown) => next(limited ?? refusal));
  };
}
