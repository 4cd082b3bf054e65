import { InvalidArgumentError, Option, type Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { commaSeparated, given, labelOf, SCOPES_HELP, type Labels } from './keys-options.ts';
import { keyDocument, keyText } from './keys-text.ts';
import { EXPIRES_HELP, momentAhead } from '../commands/moments.ts';
import { numberFromOne } from '../commands/numbers.ts';

/** `saring keys update` */
export function addUpdateCommand(keys: Command): void {
  keys
    .command('update <id>')
    .description('change a key; what is not named stays')
    .option('--name <name>', 'new label')
    .option('--scopes <list>', `all scopes it then has, ${SCOPES_HELP}`, someScopes)
    .option('--rate-limit <n>', 'requests per minute', numberFromOne)
    .addOption(
      new Option('--expires <when>', `from when on it is refused: ${EXPIRES_HELP}`)
        .argParser(momentAhead)
        .conflicts('neverExpires'),
    )
    .option('--never-expires', 'let it work until it is deleted')
    .option('--label <name=value>', 'to add or replace; `name=` takes it away; may be given again', labelOf)
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  saring keys update key_0123456789abcdef01234567 --rate-limit 600' +
        '\n  saring keys update key_0123456789abcdef01234567 --expires 2027-06-30 --label team=web --label trial=' +
        '\n  saring keys update key_0123456789abcdef01234567 --scopes models:read,models:run,data:read',
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
  answer(options, keyDocument(key), () => keyText(key));
}

/** An empty list would mean to the service that they stay. */
function someScopes(text: string): string[] {
  const scopes = commaSeparated(text);
  if (scopes.length === 0)
    throw new InvalidArgumentError("must name at least one; 'keys disable' refuses a key.");
  return scopes;
}
