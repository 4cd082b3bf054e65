import { request } from 'node:http';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** An answer as it came. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Asks without a client that decodes, negotiates or revalidates on its own. */
export function rawAnswer(
  { baseUrl }: GatewayUnderTest,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const options = { method, agent: false, headers: { 'x-api-key': 'all-scopes', ...headers } } as const;
  const sent = request(baseUrl + path, options, (res) => {
    const parts: Buffer[] = [];
    res.on('data', (part: Buffer) => parts.push(part));
    res.on('end', () =>
      resolve({ status: res.statusCode!, headers: res.headers, bytes: Buffer.concat(parts) }),
    );
  });
  sent.on('error', reject).end(body);
  return promise;
}
