import { type Command, InvalidArgumentError, Option } from 'commander';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { newSecretText, keyText, keysText, rotatedText } from './keys-text.ts';
import {
  commaSeparated,
  EXPIRES_HELP,
  momentAhead,
  numberFromOne,
  secondsOf,
} from '../terminal/option-values.ts';
import { TEST_MARKET } from '#foundation/test-market.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { requireConsent } from '../terminal/ask.ts';
import type { KeyAction, ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { SCOPES } from '#shared/scopes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** `saring keys …` */
export function addKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('issue and change API keys, and show what was done to them');
  addCreateCommand(keys);
  addReadCommands(keys);
  addUpdateCommand(keys);
  addRotateCommand(keys);
  for (const [name, description] of [
    ['disable', 'refuse a key until it is enabled again'],
    ['enable', 'accept a disabled key again'],
  ] as const) {
    keys
      .command(`${name} <id>`)
      .description(description)
      .addHelpText(...examples(`keys ${name} key_0123456789abcdef01234567`))
      .action((id: string, options: OutputOptions) => change(name, id, options));
  }
  addDeleteCommand(keys);
  addAuditCommand(keys);
}

async function change(how: 'disable' | 'enable', id: string, options: OutputOptions): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    if (how === 'disable') await keys.disableKey({ id }, call);
    else await keys.enableKey({ id }, call);
  });
  answer(options, { id, change: `${how}d` }, () => `Key ${id} is ${how}d, in every gateway within a second.`);
}

/** `saring keys create` */
function addCreateCommand(keys: Command): void {
  keys
    .command('create')
    .description('issue a key; its secret is shown once')
    .requiredOption('--name <name>', 'label, for example the name of the application')
    .requiredOption('--scopes <list>', SCOPES_HELP, commaSeparated)
    .option('--rate-limit <n>', 'requests per minute (default: the service’s own, usually 60)', numberFromOne)
    .option('--expires <when>', `when the key expires: ${EXPIRES_HELP} (default: never)`, momentAhead)
    .option('--label <name=value>', 'label to sort keys by; can be given several times', labelOf)
    .option('--test', 'a key for tests of an application: it sees a generated market that is always the same')
    .addHelpText(
      ...examples(
        'keys create --name my-app --scopes models:read,models:run',
        'keys create --test --name my-app-tests --scopes models:read,models:run,data:read',
        'keys create --name trial --scopes data:read --expires 90d --label team=mobile',
      ),
    )
    .action(create);
}

interface CreateOptions extends OutputOptions {
  name: string;
  scopes: string[];
  rateLimit?: number;
  expires?: Date;
  label?: Labels;
  test?: true;
}

async function create(options: CreateOptions): Promise<void> {
  const { name, scopes, rateLimit, expires, label: labels = {}, test } = options;
  const request = { name, scopes, rate_limit_per_minute: rateLimit, expires_at: expires, labels, test };
  await withFleet(async ({ keys, datasets, call, baseUrl }) => {
    const { api_key, secret } = await keys.createKey(request, call);
    const key = given(api_key);
    // Begins to make the test market. Where this fails, the first request of the key does it.
    if (test) await datasets.getCurrentDataset({}, { ...call, market: TEST_MARKET }).catch(() => {});
    answer(options, { ...orNull(key), secret }, () => newSecretText(key, secret, baseUrl));
  });
}

/** `saring keys list` and `show` */
function addReadCommands(keys: Command): void {
  keys.command('list').description('every key, oldest first, without secrets').action(list);
  keys
    .command('show <id>')
    .description('details of one key, without its secret')
    .addHelpText(...examples('keys show key_0123456789abcdef01234567'))
    .action(show);
}

async function list(options: OutputOptions): Promise<void> {
  const { api_keys } = await withFleet(({ keys, call }) => keys.listKeys({}, call));
  answer(options, { keys: api_keys.map(orNull) }, () => keysText(api_keys));
}

async function show(id: string, options: OutputOptions): Promise<void> {
  const { api_key } = await withFleet(({ keys, call }) => keys.getKey({ id }, call));
  const key = given(api_key);
  answer(options, orNull(key), () => keyText(key));
}

/** `saring keys update` */
function addUpdateCommand(keys: Command): void {
  keys
    .command('update <id>')
    .description('change a key; settings that you do not give stay')
    .option('--name <name>', 'new label')
    .option('--scopes <list>', `new scopes, which replace all old ones, ${SCOPES_HELP}`, someScopes)
    .option('--rate-limit <n>', 'requests per minute', numberFromOne)
    .addOption(
      new Option('--expires <when>', `when the key expires: ${EXPIRES_HELP}`)
        .argParser(momentAhead)
        .conflicts('neverExpires'),
    )
    .option('--never-expires', 'remove the expiry of the key')
    .option(
      '--label <name=value>',
      'label to add or replace; `name=` removes it; can be given several times',
      labelOf,
    )
    .addHelpText(
      ...examples(
        'keys update key_0123456789abcdef01234567 --rate-limit 600',
        'keys update key_0123456789abcdef01234567 --expires 2027-06-30 --label team=web --label trial=',
        'keys update key_0123456789abcdef01234567 --scopes models:read,models:run,data:read',
      ),
    )
    .action(update);
}

interface UpdateOptions extends OutputOptions {
  name?: string;
  scopes?: string[];
  rateLimit?: number;
  expires?: Date;
  neverExpires?: boolean;
  label?: Labels;
}

async function update(id: string, options: UpdateOptions): Promise<void> {
  const { name, scopes = [], rateLimit, expires, neverExpires = false, label: labels = {} } = options;
  const limits = { rate_limit_per_minute: rateLimit, expires_at: expires, never_expires: neverExpires };
  const { api_key } = await withFleet(({ keys, call }) =>
    keys.updateKey({ id, name, scopes, ...limits, labels }, call),
  );
  const key = given(api_key);
  answer(options, orNull(key), () => keyText(key));
}

/** The service would take an empty list to mean no change. */
function someScopes(text: string): string[] {
  const scopes = commaSeparated(text);
  if (scopes.length === 0)
    throw new InvalidArgumentError("must name at least one scope. To refuse a key, use 'keys disable'.");
  return scopes;
}

const USUAL_GRACE_SECONDS = 86_400;
const MAX_GRACE_SECONDS = 30 * 86_400;

/** `saring keys rotate` */
function addRotateCommand(keys: Command): void {
  keys
    .command('rotate <id>')
    .description('give a key a new secret, shown once; the old one works for a while longer')
    .addOption(
      new Option(
        '--grace <duration>',
        'how long the old secret still works, 0 to 30d; even older ones keep their own end',
      )
        .argParser(graceSeconds)
        .default(USUAL_GRACE_SECONDS, '24h'),
    )
    .addHelpText(
      ...examples(
        'keys rotate key_0123456789abcdef01234567 --grace 7d',
        'keys rotate key_0123456789abcdef01234567 --grace 0    # the old secret has leaked',
      ),
    )
    .action(rotate);
}

async function rotate(id: string, options: OutputOptions & { grace: number }): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    const { api_key, secret } = await keys.rotateKey({ id, grace_seconds: options.grace }, call);
    const key = given(api_key);
    answer(options, { ...orNull(key), secret }, () => rotatedText(key, secret));
  });
}

/** Seconds are sent as a 32-bit number, so a larger value would wrap. */
function graceSeconds(text: string): number {
  const seconds = secondsOf(text);
  if (seconds > MAX_GRACE_SECONDS) throw new InvalidArgumentError('must be at most 30d.');
  return seconds;
}

const DELETE_HELP = `
This cannot be undone; 'keys disable' can. At a terminal it asks for confirmation; elsewhere it needs --yes.

Example:
  saring keys delete key_0123456789abcdef01234567`;

/** `saring keys delete` */
function addDeleteCommand(keys: Command): void {
  keys
    .command('delete <id>')
    .description('revoke a key for good, with every secret it has')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', DELETE_HELP)
    .action(deleteKey);
}

async function deleteKey(id: string, { yes, ...options }: OutputOptions & { yes?: boolean }): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    if (!yes) {
      const { name, last_used_at } = given((await keys.getKey({ id }, call)).api_key);
      const use = last_used_at ? `last used ${jakartaSecond(last_used_at)} WIB` : 'never used';
      await requireConsent({
        question: `Delete ${id} (${terminalText(name)}, ${use}) for good?`,
        refusal: `deleting a key cannot be undone: add --yes to delete ${id}.`,
        declined: 'nothing was deleted.',
      });
    }
    await keys.deleteKey({ id }, call);
  });
  answer(options, { id, change: 'deleted' }, () => `Key ${id} is deleted, in every gateway within a second.`);
}

/** `saring keys audit` */
function addAuditCommand(keys: Command): void {
  keys
    .command('audit [id]')
    .description('what was done to all keys, or to one, newest first, deleted keys included')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .addHelpText(
      'after',
      '\nOnly the newest 1,000 actions can be listed: of all keys, or of the named one.' +
        '\n\nExample:\n  saring keys audit key_0123456789abcdef01234567 --limit 10',
    )
    .action(audit);
}

async function audit(
  id: string | undefined,
  { limit, ...options }: OutputOptions & { limit: number },
): Promise<void> {
  const { actions } = await withFleet(({ keys, call }) => keys.listKeyActions({ key_id: id, limit }, call));
  answer(options, { actions: actions.map(orNull) }, () => actionsText(actions));
}

function actionsText(actions: KeyAction[]): string {
  return table(
    actions,
    {
      'when (Jakarta)': ({ ts }) => ts && jakartaSecond(ts),
      key: ({ key_id }) => key_id,
      action: ({ action }) => action,
      by: ({ actor }) => actor || '-',
      request: ({ request_id }) => request_id,
      changes: ({ changes }) => JSON.stringify(changes ?? {}),
    },
    'No action is recorded.',
  );
}

type Labels = Record<string, string>;

const SCOPES_HELP = `comma-separated, any of ${Object.keys(SCOPES).join(', ')}`;

/** Parses one of several `--label name=value` options and adds it to the earlier ones. The first `=` ends the name. */
function labelOf(text: string, before: Labels = {}): Labels {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('must be name=value.');
  return { ...before, [name]: value };
}

/** The key of a response. The service always sends one. */
function given(key: ApiKey | undefined): ApiKey {
  if (key) return key;
  throw new ServiceError('internal_error', 'the keys service answered without a key');
}
