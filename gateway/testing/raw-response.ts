import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

/** Sends bytes, which need not be a request, and later the others. Returns all answers until the gateway closes the connection. */
export function answerToBytes({ baseUrl }: GatewayUnderTest, bytes: string, later = ''): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(bytes);
  if (later !== '') setTimeout(() => socket.write(later), 50);
  return text(socket);
}
