import type { Command } from 'commander';
import type { Delivery, Webhook } from '#proto/saring/webhooks/v1/webhooks.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { withFleet, type OperatorSession } from '../fleet/operator-session.ts';
import { answer, examples, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { commaSeparated, momentBefore, numberFromOne } from '../terminal/option-values.ts';

const KEY = ['--key <id>', 'id of the key that owns the webhook'] as const;
const EXAMPLE = '--key key_0123456789abcdef01234567';
const PAGE = 100;

interface OfKey extends OutputOptions {
  key: string;
}

/** `saring webhooks …` */
export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('endpoints of a key, to which its events are sent');
  webhooks
    .command('list')
    .description('the webhooks of a key, newest first')
    .requiredOption(...KEY)
    .addHelpText(...examples(`webhooks list ${EXAMPLE}`))
    .action(list);
  webhooks
    .command('create')
    .description('send the events of a key to a URL; the secret is shown once')
    .requiredOption(...KEY)
    .requiredOption('--url <url>', 'address of the endpoint')
    .option('--types <list>', 'types of events, separated by commas (default: all)', commaSeparated)
    .option('--description <text>', 'note for people')
    .addHelpText(
      ...examples(
        `webhooks create ${EXAMPLE} --url https://app.example.com/saring --types run.succeeded,run.failed`,
      ),
    )
    .action(create);
  addChanges(webhooks);
  webhooks
    .command('deliveries <id>')
    .description('what was sent, newest first, with every attempt')
    .requiredOption(...KEY)
    .option('--limit <n>', 'at most this many, 1 to 100', numberFromOne, 20)
    .action(deliveries);
  webhooks
    .command('redeliver <id>')
    .description('send the events that were missed, or one that was sent before')
    .requiredOption(...KEY)
    .option('--since <when>', 'from a duration ago (12h) or a time on', momentBefore)
    .option('--delivery <id>', 'the event of this delivery instead')
    .addHelpText(...examples(`webhooks redeliver wh_0123456789abcdef01234567 ${EXAMPLE} --since 12h`))
    .action(redeliver);
}

type Calls = Pick<OperatorSession, 'webhooks' | 'call'>;
interface Own {
  api_key_id: string;
  webhook_id: string;
}

/** The commands about one webhook that take nothing else. */
function addChanges(webhooks: Command): void {
  const about = (name: string, description: string, work: (calls: Calls, own: Own) => Promise<Shown>) =>
    webhooks
      .command(`${name} <id>`)
      .description(description)
      .requiredOption(...KEY)
      .addHelpText(...examples(`webhooks ${name} wh_0123456789abcdef01234567 ${EXAMPLE}`))
      .action(async (webhook_id: string, options: OfKey) => {
        const { document, text } = await withFleet((session) => work(session, ownOf(webhook_id, options)));
        answer(options, document, () => text);
      });
  about('show', 'one webhook, without its secret', async ({ webhooks, call }, own) =>
    shown((await webhooks.getWebhook(own, call)).webhook),
  );
  about('enable', 'send events again', async ({ webhooks, call }, own) =>
    shown((await webhooks.enableWebhook(own, call)).webhook),
  );
  about('disable', 'send no events until it is enabled again', async ({ webhooks, call }, own) =>
    shown((await webhooks.disableWebhook(own, call)).webhook),
  );
  about('rotate', 'make a new secret, which is shown once', async ({ webhooks, call }, own) =>
    withSecret(await webhooks.rotateWebhookSecret(own, call)),
  );
  about('test', 'send a test event', async ({ webhooks, call }, own) => {
    const { delivery } = await webhooks.testWebhook(own, call);
    const { delivery_id } = delivery!;
    return {
      document: delivery!,
      text: `The test is sent as ${delivery_id}; 'saring webhooks deliveries' shows what came of it.`,
    };
  });
  about('delete', 'remove a webhook with its deliveries', async ({ webhooks, call }, own) => {
    const document = await webhooks.deleteWebhook(own, call);
    return { document, text: `Webhook ${own.webhook_id} is deleted.` };
  });
}

async function list(options: OfKey): Promise<void> {
  const found = await withFleet(async ({ webhooks, call }) => {
    const all: Webhook[] = [];
    for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
      const page = await webhooks.listWebhooks({ api_key_id: options.key, limit: PAGE, cursor }, call);
      all.push(...page.webhooks);
      cursor = page.next_cursor;
    }
    return all;
  });
  answer(options, { webhooks: found.map(orNull) }, () => webhooksText(found));
}

async function create(
  options: OfKey & { url: string; types?: string[]; description?: string },
): Promise<void> {
  const { key: api_key_id, url, types: event_types = [], description } = options;
  const request = { api_key_id, url, event_types, description };
  const created = await withFleet(({ webhooks, call }) => webhooks.createWebhook(request, call));
  const { document, text } = withSecret(created);
  answer(options, document, () => text);
}

async function deliveries(webhook_id: string, options: OfKey & { limit: number }): Promise<void> {
  const request = { ...ownOf(webhook_id, options), limit: options.limit };
  const { deliveries: found } = await withFleet(({ webhooks, call }) =>
    webhooks.listDeliveries(request, call),
  );
  answer(options, { deliveries: found }, () => deliveriesText(found));
}

async function redeliver(
  webhook_id: string,
  options: OfKey & { since?: Date; delivery?: string },
): Promise<void> {
  const own = ownOf(webhook_id, options);
  const { delivery: delivery_id, since = new Date(0) } = options;
  if (delivery_id !== undefined) {
    const again = await withFleet(({ webhooks, call }) =>
      webhooks.redeliverEvent({ ...own, delivery_id }, call),
    );
    return answer(
      options,
      again.delivery,
      () => `The event is sent again as ${again.delivery!.delivery_id}.`,
    );
  }
  const missed = await withFleet(({ webhooks, call }) => webhooks.redeliverMissed({ ...own, since }, call));
  const more = missed.has_more ? ' More were missed: repeat the command.' : '';
  answer(options, missed, () => `${missed.count} missed events are sent.${more}`);
}

interface Shown {
  document: object;
  text: string;
}

function ownOf(webhook_id: string, { key }: OfKey): Own {
  return { api_key_id: key, webhook_id };
}

function shown(webhook: Webhook | undefined): Shown {
  return { document: orNull(webhook!), text: webhookText(webhook!) };
}

function withSecret({ webhook, secret }: { webhook?: Webhook | undefined; secret: string }): Shown {
  const text = `${webhookText(webhook!)}\n  secret    ${secret}  (shown only here)`;
  return { document: { ...orNull(webhook!), secret }, text };
}

function stateOf({ enabled, disabled_reason, failures }: Webhook): string {
  if (!enabled) return `disabled (${disabled_reason})`;
  return failures > 0 ? `failing (${failures} in a row)` : 'working';
}

function typesOf({ event_types }: Webhook): string {
  return event_types.length === 0 ? 'all' : event_types.join(', ');
}

function webhooksText(webhooks: Webhook[]): string {
  return table(
    webhooks,
    {
      id: ({ webhook_id }) => webhook_id,
      url: ({ url }) => url,
      types: typesOf,
      state: stateOf,
      waiting: ({ waiting }) => waiting,
    },
    'The key has no webhook yet.',
  );
}

function webhookText(webhook: Webhook): string {
  const { webhook_id, url, description, waiting, next_attempt_at, failing_since } = webhook;
  return [
    `Webhook ${webhook_id}: ${stateOf(webhook)}`,
    `  url       ${terminalText(url)}`,
    `  types     ${typesOf(webhook)}`,
    ...(description ? [`  note      ${terminalText(description)}`] : []),
    ...(failing_since ? [`  failing   since ${jakartaSecond(failing_since)}`] : []),
    `  waiting   ${waiting}${next_attempt_at ? `, next attempt at ${jakartaSecond(next_attempt_at)}` : ''}`,
  ].join('\n');
}

function deliveriesText(found: Delivery[]): string {
  return table(
    found,
    {
      created: ({ created_at }) => created_at && jakartaSecond(created_at),
      id: ({ delivery_id }) => delivery_id,
      type: ({ event_type }) => event_type,
      state: ({ state }) => state,
      attempts: ({ attempts }) => attempts.length,
      'last attempt': ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.status,
    },
    'Nothing was sent yet.',
  );
}
