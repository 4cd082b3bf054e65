import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TEST_SECRET } from '#foundation/test-market.ts';

/** Keys and sessions have secrets of the same form. Base62 has no underscore, so no secret has the form of another kind. */
const PREFIXES = { key: 'sar_', 'test key': TEST_SECRET, session: 'sas_' };
type SecretOf = keyof typeof PREFIXES;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 33 base62 digits hold 196 bits. */
const RANDOM_DIGITS = 33;
/** 62^6 exceeds 2^32, so six digits hold a CRC-32. */
const CHECKSUM_DIGITS = 6;
const HINT_DIGITS = 6;

/** A new secret: prefix, random digits and a checksum. The checksum lets typos and scanners be refused without a query. */
export function newSecret(of: SecretOf = 'key'): string {
  const digits = Array.from({ length: RANDOM_DIGITS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const body = PREFIXES[of] + digits.join('');
  return body + checksum(body);
}

/** Whether the text has the form and the checksum of a secret. */
export function isWellFormed(secret: string, of: SecretOf = 'key'): boolean {
  const prefix = PREFIXES[of];
  if (secret.length !== prefix.length + RANDOM_DIGITS + CHECKSUM_DIGITS || !secret.startsWith(prefix))
    return false;
  const body = secret.slice(0, -CHECKSUM_DIGITS);
  return secret.slice(-CHECKSUM_DIGITS) === checksum(body);
}

/** The stored form of a secret: HMAC-SHA-256 under the pepper, in hex. Without the pepper a stolen table is useless. */
export function hashSecret(secret: string, pepper: string): string {
  return createHmac('sha256', pepper).update(secret).digest('hex');
}

/** Every form in which a secret may be stored: under the first pepper, or under one that was first earlier. */
export function hashesOf(secret: string, peppers: readonly string[]): string[] {
  return peppers.map((pepper) => hashSecret(secret, pepper));
}

/** The start of a secret, to recognise it in a list. Too short to help guess the rest. */
export function hintOf(secret: string): string {
  return secret.slice(0, secret.lastIndexOf('_') + 1 + HINT_DIGITS);
}

function checksum(body: string): string {
  let value = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = ALPHABET[value % ALPHABET.length] + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits;
}
