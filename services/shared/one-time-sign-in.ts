import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/** What the file holds, readable by its owner only: the key, and by what hash its token is known. */
interface Offer {
  token_sha256: string;
  expires_at: string;
  api_key: string;
}

/**
 * Offers an API key to whoever brings the token that this returns: once, and for so long. An earlier offer in the file
 * ends. The token is not stored, so that the file alone makes no link.
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

/** The API key that is offered for this token; undefined when it was taken, has expired or was never offered. */
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

/** Of several that take an offer at once, one removes its file and has it. */
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
