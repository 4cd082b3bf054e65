import { sendRaw, type RawResponse } from '#support/rest/raw-http.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

export type { RawResponse };

/** Sends a request with a key that has every scope, through a client that does not decode, negotiate or revalidate. */
export function rawResponse(
  { baseUrl }: GatewayUnderTest,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<RawResponse> {
  return sendRaw(baseUrl, { method, path, headers: { 'x-api-key': 'all-scopes', ...headers }, body });
}
