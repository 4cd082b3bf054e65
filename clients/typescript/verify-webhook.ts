import type { Schemas } from './transport/api-types.ts';

/** What a webhook delivers. Several deliveries of one event have the same `id`. */
export type WebhookEvent = Pick<Schemas['Event'], 'id' | 'type' | 'created_at' | 'sequence' | 'data'>;

/** The headers of a request: those of `fetch`, or of Node. */
type RequestHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

interface VerifyOptions {
  /** Requests that are older, or newer, are refused, so that nobody can send one again. 300 if undefined. */
  toleranceSeconds?: number;
}

const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1';
const DEFAULT_TOLERANCE_SECONDS = 300;

/** A request that does not come from the service, or not now. Answer it with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Checks a request to a webhook by the Standard Webhooks specification, and returns its event.
 * @param body exactly as it was received, before any parsing
 * @param secret of the webhook, as `webhooks.create` has shown it
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: RequestHeaders,
  secret: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    required(headers, name),
  ) as [string, string, string];
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too old, or ahead of the clock.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const [version, encoded = ''] = signature.split(',');
    const isRight =
      version === VERSION && (await crypto.subtle.verify('HMAC', key, decoded(encoded), signed));
    if (isRight) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature in webhook-signature fits.');
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function required(headers: RequestHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

/** @throws TypeError for what is no secret of a webhook */
function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decoded(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '');
  if (bytes.length === 0) throw new TypeError(`A secret of a webhook begins with ${SECRET_PREFIX}.`);
  return bytes;
}

/** Empty if it is no base64. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
