import type { Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { commaSeparated, given, labelOf, SCOPES_HELP, type Labels } from './keys-options.ts';
import { newSecretDocument, newSecretText } from './keys-text.ts';
import { EXPIRES_HELP, momentAhead } from '../commands/moments.ts';
import { numberFromOne } from '../commands/numbers.ts';

/** `saring keys create` */
export function addCreateCommand(keys: Command): void {
  keys
    .command('create')
    .description('issue a key; its secret is shown once')
    .requiredOption('--name <name>', 'label, as in the application’s name')
    .requiredOption('--scopes <list>', SCOPES_HELP, commaSeparated)
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
