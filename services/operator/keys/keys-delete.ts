import type { Command } from 'commander';
import { jakartaSecond } from '#shared/jakarta-time.ts';
import { terminalText } from '#shared/text/terminal-text.ts';
import { agrees, isAtTerminal } from '../ask.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { given } from './keys-options.ts';

const DELETE_HELP = `
It cannot be undone: 'keys disable' can. At a terminal it asks; elsewhere it needs --yes.

Example:
  saring keys delete key_0123456789abcdef01234567`;

/** `saring keys delete` */
export function addDeleteCommand(keys: Command): void {
  keys
    .command('delete <id>')
    .description('revoke a key for good, with every secret it has')
    .option('--yes', 'without asking')
    .option('--json', 'one JSON document')
    .addHelpText('after', DELETE_HELP)
    .action(deleteKey);
}

async function deleteKey(id: string, { yes, ...options }: OutputOptions & { yes?: boolean }): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    if (!yes) await requireConsent(given((await keys.getKey({ id }, call)).api_key));
    await keys.deleteKey({ id }, call);
  });
  answer(options, { id, change: 'deleted' }, () => `Key ${id} is deleted, in every gateway within a second.`);
}

/** @throws CommandFailure unless the operator at the terminal agrees */
async function requireConsent({ id, name, last_used_at }: ReturnType<typeof given>): Promise<void> {
  if (!isAtTerminal()) {
    throw new CommandFailure(EXIT.refused, `deleting a key cannot be undone: add --yes to delete ${id}.`);
  }
  const use = last_used_at ? `last used ${jakartaSecond(last_used_at)} WIB` : 'never used';
  const question = `Delete ${id} (${terminalText(name)}, ${use}) for good?`;
  if (!(await agrees(question))) throw new CommandFailure(EXIT.refused, 'nothing is deleted.');
}
