import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { secretsIn } from '#shared/config/config.ts';
import { sameSecret } from '#shared/grpc/callers.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { GatewayConfig } from '../config.ts';
import type { RefusalBudget } from './rate-limit.ts';
import { presentedSecret } from './stranger-budget.ts';

type OperatorSettings = Pick<
  GatewayConfig,
  'HOST' | 'OPERATOR_API' | 'OPERATOR_TOKEN_SHA256' | 'TRUSTED_PROXIES'
>;

/** Whether the operator's endpoints are there. Behind a proxy a gateway on loopback answers the world. */
export function servesOperator(config: OperatorSettings): boolean {
  const { HOST, OPERATOR_API, OPERATOR_TOKEN_SHA256, TRUSTED_PROXIES } = config;
  if (OPERATOR_TOKEN_SHA256 === '' || OPERATOR_API === 'off') return false;
  return OPERATOR_API === 'on' || (isLoopback(HOST) && TRUSTED_PROXIES === 0);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Admits the operator. The gateway holds a hash of the token alone: what a service is asked carries the token of the
 * request, which the service checks again. Wrong ones count like unknown keys of the address.
 */
export function authenticateOperator(
  { OPERATOR_TOKEN_SHA256 }: Pick<GatewayConfig, 'OPERATOR_TOKEN_SHA256'>,
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
