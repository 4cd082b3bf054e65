import { InvalidArgumentError, type Command } from 'commander';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { SCOPES } from '#shared/scopes.ts';
import { ServiceError } from '#shared/service-error.ts';
import { textTable, type Cell } from '#shared/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';

/** `saring keys …` */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('issue API keys and switch them');
  keys
    .command('create')
    .description('issue a key; its secret is shown once')
    .requiredOption('--name <name>', 'label, as in the application’s name')
    .requiredOption(
      '--scopes <list>',
      `comma-separated, of ${Object.keys(SCOPES).join(', ')}`,
      commaSeparated,
    )
    .option('--rate-limit <n>', 'requests per minute (default: 60)', positiveInteger)
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample:\n  saring keys create --name my-app --scopes models:read,models:run')
    .action(create);
  keys
    .command('list')
    .description('every key, oldest first, without secrets')
    .option('--json', 'one JSON document')
    .action(list);
  for (const [name, description] of [
    ['disable', 'refuse a key until it is enabled again'],
    ['enable', 'take a disabled key back into use'],
    ['delete', 'revoke a key for good'],
  ] as const) {
    keys
      .command(`${name} <id>`)
      .description(description)
      .option('--json', 'one JSON document')
      .addHelpText('after', `\nExample:\n  saring keys ${name} key_0123456789abcdef01234567`)
      .action((id: string, options: OutputOptions) => change(name, id, options));
  }
}

interface CreateOptions extends OutputOptions {
  name: string;
  scopes: string[];
  rateLimit?: number;
}

async function create(options: CreateOptions): Promise<void> {
  const { name, scopes, rateLimit } = options;
  const wish = { name, scopes, rate_limit_per_minute: rateLimit };
  await withFleet(async ({ keys, call, baseUrl }) => {
    const { api_key, secret } = await keys.createKey(wish, call);
    if (!api_key)
      throw new ServiceError('internal_error', 'the keys service did not say which key it issued');
    const { id, rate_limit_per_minute } = api_key;
    const document = { id, key: secret, name: api_key.name, scopes: api_key.scopes, rate_limit_per_minute };
    answer(options, document, () => newKeyText(api_key, secret, baseUrl));
  });
}

function newKeyText(
  { id, name: label, scopes, ...key }: ApiKey,
  secret: string,
  baseUrl = '<base url>',
): string {
  return [
    `Key ${id} for ${label}: ${scopes.join(', ')}; ${key.rate_limit_per_minute} requests a minute.`,
    'Its secret is shown only now and cannot be shown again. Keep it on a server:',
    '',
    `  ${secret}`,
    '',
    'To try it, with the secret in KEY:',
    `  curl -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/scopes`,
  ].join('\n');
}

async function list(options: OutputOptions): Promise<void> {
  const { api_keys } = await withFleet(({ keys, call }) => keys.listKeys({}, call));
  answer(options, { keys: api_keys }, () =>
    api_keys.length === 0 ? 'There is no key yet.' : textTable(KEY_COLUMNS, api_keys.map(keyRow)).join('\n'),
  );
}

const KEY_COLUMNS = ['id', 'name', 'secret', 'scopes', 'per minute', 'state', 'issued'];

function keyRow({ id, name, hint, scopes, rate_limit_per_minute, disabled, created_at }: ApiKey): Cell[] {
  const issued = created_at?.toISOString().slice(0, 10) ?? '';
  return [
    id,
    name,
    `${hint}…`,
    scopes.join(','),
    rate_limit_per_minute,
    disabled ? 'disabled' : 'enabled',
    issued,
  ];
}

async function change(
  how: 'disable' | 'enable' | 'delete',
  id: string,
  options: OutputOptions,
): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    if (how === 'disable') await keys.disableKey({ id }, call);
    else if (how === 'enable') await keys.enableKey({ id }, call);
    else await keys.deleteKey({ id }, call);
  });
  answer(options, { id, change: `${how}d` }, () => `Key ${id} is ${how}d, in every gateway within a second.`);
}

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1.');
  return value;
}
