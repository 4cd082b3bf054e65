import type { Command } from 'commander';
import { SCOPES } from '#shared/scopes.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { given, labelOf, type Labels } from './keys-options.ts';
import { newSecretDocument, newSecretText } from './keys-text.ts';
import { EXPIRES_HELP, momentAhead } from './moments.ts';
import { numberFromOne } from './numbers.ts';

/** `saring keys create` */
export function addCreateCommand(keys: Command): void {
  keys
    .command('create')
    .description('issue a key; its secret is shown once')
    .requiredOption('--name <name>', 'label, as in the application’s name')
    .requiredOption(
      '--scopes <list>',
      `comma-separated, of ${Object.keys(SCOPES).join(', ')}`,
      commaSeparated,
    )
    .option('--rate-limit <n>', 'requests per minute (default: the service’s own, usually 60)', numberFromOne)
    .option('--expires <when>', `from when on it is refused: ${EXPIRES_HELP} (default: never)`, momentAhead)
    .option('--label <name=value>', 'to sort keys by; may be given again', labelOf)
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  saring keys create --name my-app --scopes models:read,models:run' +
        '\n  saring keys create --name trial --scopes data:read --expires 90d --label team=mobile',
    )
    .action(create);
}

interface CreateOptions extends OutputOptions {
  name: string;
  scopes: string[];
  rateLimit?: number;
  expires?: Date;
  label?: Labels;
}

async function create(options: CreateOptions): Promise<void> {
  const { name, scopes, rateLimit, expires, label: labels = {} } = options;
  const request = { name, scopes, rate_limit_per_minute: rateLimit, expires_at: expires, labels };
  await withFleet(async ({ keys, call, baseUrl }) => {
    const { api_key, secret } = await keys.createKey(request, call);
    const key = given(api_key);
    answer(options, newSecretDocument(key, secret), () => newSecretText(key, secret, baseUrl));
  });
}

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
