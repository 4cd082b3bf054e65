import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { pepperId } from '#foundation/ids.ts';

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A secret by which a receiver tells our requests from those of others, in the form of the Standard Webhooks specification. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Encrypts the secrets of webhooks. Unlike those of API keys they cannot be hashed, because they sign. Each is bound to its webhook,
 * so that nobody who can write to the table gives one the secret of another.
 */
export class SecretBox {
  /** By id. The first encrypts. */
  readonly #keys: Map<string, Buffer>;

  constructor(keys: readonly [string, ...string[]]) {
    this.#keys = new Map(keys.map((key) => [pepperId(key), derived(key)]));
  }

  /** The stored form: the id of the key, and what `decrypt` needs. */
  encrypt(secret: string, webhookId: string): string {
    const [[keyId, key]] = [...this.#keys] as [[string, Buffer]];
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(webhookId));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64')}`;
  }

  /** @throws Error if it was encrypted under a key that is not known any more, or for another webhook */
  decrypt(stored: string, webhookId: string): string {
    const [keyId = '', sealed = ''] = stored.split('.');
    const key = this.#keys.get(keyId);
    if (!key)
      throw new Error('the secret of a webhook is encrypted under a key that WEBHOOK_SECRET_KEY lacks');
    const bytes = Buffer.from(sealed, 'base64');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(webhookId)).setAuthTag(tag);
    const secret = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(secret).toString('utf8');
  }
}

function derived(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'saring secrets of webhooks', 32));
}
