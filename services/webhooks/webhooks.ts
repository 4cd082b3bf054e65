import type { CreateWebhookRequest } from '#proto/saring/webhooks/v1/webhooks.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { withNewSecret } from './signing/signatures.ts';
import { newSecret, type SecretBox } from './signing/secrets.ts';
import { urlMistake, type PortRanges } from './sending/endpoint-url.ts';
import type { Sender } from './sending/sender.ts';
import type { OwnWebhook, ShownWebhook, WebhookStore } from './store/webhook-store.ts';

/** A name that DNS does not answer in this time is accepted: each attempt asks again. */
const RESOLVED_WITHIN_MS = 2_000;

interface WebhooksDependencies {
  store: WebhookStore;
  secrets: SecretBox;
  sender: Pick<Sender, 'refusal'>;
  cursors: CursorSigner;
  /** Webhooks of a key. */
  limit: number;
  ports: PortRanges;
  /** Called when deliveries may have become due. */
  onDue: () => void;
  clock: Clock;
  newId: IdSource;
}

type WebhookRequest = Omit<CreateWebhookRequest, 'api_key_id'>;

export class Webhooks {
  readonly #deps: WebhooksDependencies;

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request, also when the limit is reached */
  async create(
    request: WebhookRequest,
    apiKeyId: string,
  ): Promise<{ webhook: ShownWebhook; secret: string }> {
    const { store, secrets, limit, clock, newId } = this.#deps;
    const content = await this.#contentOf(request);
    const own = { webhook_id: newId('wh'), api_key_id: apiKeyId };
    const secret = newSecret();
    const encrypted = secrets.encrypt(secret, own.webhook_id);
    const row = { ...own, ...content, secret: encrypted, created_at: clock() };
    if (!(await store.insert(row, limit)))
      throw new ServiceError(
        'invalid_request',
        `A key can own at most ${limit} webhooks, and this one does. Delete one first.`,
      );
    return { webhook: await this.get(own), secret };
  }

  /** @throws ServiceError invalid_cursor */
  list(page: PageRequest, apiKeyId: string): Promise<Page<ShownWebhook>> {
    const { store, cursors } = this.#deps;
    return pageOf(page, {
      cursors,
      scope: { list: 'webhooks', api_key_id: apiKeyId },
      read: (after, limit) => store.list(apiKeyId, after, limit),
      positionOf: ({ created_at, webhook_id }) => ({ at: created_at.getTime(), id: webhook_id }),
    });
  }

  /** @throws ServiceError webhook_not_found */
  async get(own: OwnWebhook): Promise<ShownWebhook> {
    return (await this.#deps.store.find(own)) ?? unknownWebhook();
  }

  /** What waits is sent to the new URL. @throws ServiceError webhook_not_found or invalid_request */
  async replace(own: OwnWebhook, request: WebhookRequest): Promise<ShownWebhook> {
    const { store, clock } = this.#deps;
    await this.get(own);
    const now = clock();
    const change = { ...(await this.#contentOf(request)), updated_at: now };
    return this.#changed(own, await store.restart(own, change, now));
  }

  /** Its deliveries are removed later, since that takes long where many wait. @throws ServiceError webhook_not_found */
  async delete(own: OwnWebhook): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock();
    const deleting = { enabled: false, disabled_reason: 'requested', disabled_at: now, deleted_at: now };
    if (!(await store.change(own, deleting))) unknownWebhook();
  }

  /** What still waits is delivered. @throws ServiceError webhook_not_found */
  async enable(own: OwnWebhook): Promise<ShownWebhook> {
    const { store, clock } = this.#deps;
    const { enabled } = await this.get(own);
    const enabling = { enabled: true, disabled_reason: null, disabled_at: null };
    return this.#changed(own, enabled || (await store.restart(own, enabling, clock())));
  }

  /** @throws ServiceError webhook_not_found */
  async disable(own: OwnWebhook): Promise<ShownWebhook> {
    const { store, clock } = this.#deps;
    const { enabled } = await this.get(own);
    const disabling = { enabled: false, disabled_reason: 'requested', disabled_at: clock() };
    return this.#changed(own, !enabled || (await store.change(own, disabling)));
  }

  /** @throws ServiceError webhook_not_found, invalid_request if too many of its secrets still sign */
  async rotate(own: OwnWebhook): Promise<{ webhook: ShownWebhook; secret: string }> {
    const { store, secrets, clock } = this.#deps;
    const secret = newSecret();
    const encrypted = secrets.encrypt(secret, own.webhook_id);
    const isRotated = await store.changeBy(own, (webhook) => withNewSecret(webhook, encrypted, clock()));
    return { webhook: await this.#changed(own, isRotated), secret };
  }

  async #changed(own: OwnWebhook, isChanged: boolean): Promise<ShownWebhook> {
    if (!isChanged) unknownWebhook();
    this.#deps.onDue();
    return this.get(own);
  }

  async #contentOf({ url, event_types, description }: WebhookRequest) {
    const { sender, ports } = this.#deps;
    const refusal =
      urlMistake(url, ports) ?? (await sender.refusal(new URL(url), AbortSignal.timeout(RESOLVED_WITHIN_MS)));
    if (refusal !== undefined) refuse([{ loc: ['url'], msg: refusal, type: 'value_error', input: url }]);
    const types = [...new Set(event_types)];
    return {
      url: new URL(url).href,
      event_types: types.length === 0 ? null : types,
      description: description ?? null,
    };
  }
}

/** @throws ServiceError webhook_not_found */
export function unknownWebhook(): never {
  throw new ServiceError('webhook_not_found', 'There is no such webhook.');
}
