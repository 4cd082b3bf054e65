import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/** The content of the file, which only its owner can read: the API key, and the hash of the token. */
interface Offer {
  token_sha256: string;
  expires_at: string;
  api_key: string;
}

/**
 * Offers an API key for the returned token, once and for `validMs`. Replaces an earlier offer in the file. The token is not
 * stored, so the file alone is not enough to build a link.
 */
export function offerSignIn(file: string, apiKey: string, validMs: number): string {
  const token = randomBytes(24).toString('base64url');
  const offer: Offer = {
    token_sha256: sha256(token).toString('hex'),
    expires_at: new Date(Date.now() + validMs).toISOString(),
    api_key: apiKey,
  };
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(offer)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
  return token;
}

/** The API key offered for this token. Undefined when it was already taken, has expired or was never offered. */
export function takeSignIn(file: string, token: string, nowMs = Date.now()): string | undefined {
  const offer = readOffer(file);
  if (!offer) return undefined;
  if (nowMs >= Date.parse(offer.expires_at)) {
    rmSync(file, { force: true });
    return undefined;
  }
  if (!timingSafeEqual(sha256(token), Buffer.from(offer.token_sha256, 'hex'))) return undefined;
  return removed(file) ? offer.api_key : undefined;
}

function readOffer(file: string): Offer | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Offer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes the file. When several requests take an offer at the same time, only one of them gets true. */
function removed(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
