import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Access } from '../routing/route.ts';

/** Refuses a key that lacks the route's scope. */
export function requireScope(access: Access, key: ApiKey | undefined): void {
  if (access === 'anybody') return;
  if (!key) throw new ServiceError('missing_api_key', 'This endpoint needs an API key.');
  if (access === 'any key' || key.scopes.includes(access)) return;
  throw new ServiceError(
    'insufficient_scope',
    `This endpoint needs the scope ${access}, which the key lacks.`,
  );
}
