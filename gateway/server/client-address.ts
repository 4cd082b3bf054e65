import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** Longer texts in X-Forwarded-For are no addresses, and are not kept whole. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * Where a request comes from: the connection's other end, or what the outermost trusted proxy saw. Each proxy appends
 * to X-Forwarded-For, so whatever stands further left was written by the client and says nothing.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const nearest = socket.remoteAddress ?? '';
  const forwardedFor = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwardedFor === undefined) return networkOf(nearest);
  const hops = String(forwardedFor)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  const seen = hops.at(-Math.min(trustedProxies, hops.length)) ?? nearest;
  return networkOf(seen.slice(0, MAX_ADDRESS_LENGTH));
}

/** A whole IPv6 network (/56) counts as one address, since its user has all of them. */
export function networkOf(address: string): string {
  return isIPv6(address) ? ipKeyGenerator(address) : address;
}
