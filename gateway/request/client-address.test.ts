import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress } from './request-context.ts';

function addressOf(forwardedFor: string | undefined, trustedProxies: number, remoteAddress = '10.0.0.1') {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return clientAddress({ headers, socket: { remoteAddress } } as unknown as IncomingMessage, trustedProxies);
}

test.each([
  [undefined, 0, '10.0.0.1'],
  ['192.0.2.1', 0, '10.0.0.1'],
  [undefined, 1, '10.0.0.1'],
  ['192.0.2.1', 1, '192.0.2.1'],
  ['forged, 192.0.2.1', 1, '192.0.2.1'],
  ['forged, 192.0.2.1, 10.0.0.2', 2, '192.0.2.1'],
  ['192.0.2.1', 3, '192.0.2.1'],
  [' , ,', 1, '10.0.0.1'],
  ['2001:db8:1:2ff::5', 1, '2001:db8:1:200::/56'],
  ['::ffff:192.0.2.1', 1, '192.0.2.1'],
  ['192.0.2.1:4711', 1, '192.0.2.1'],
  ['[2001:db8:1:2ff::5]:4711', 1, '2001:db8:1:200::/56'],
  ['x'.repeat(1_000), 1, 'x'.repeat(64)],
])(
  'X-Forwarded-For %s behind %d trusted proxies gives the client address %s',
  (forwardedFor, trustedProxies, expected) => {
    expect(addressOf(forwardedFor, trustedProxies)).toBe(expected);
  },
);
