import type { Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { addAuditCommand } from './keys-audit.ts';
import { addCreateCommand } from './keys-create.ts';
import { addDeleteCommand } from './keys-delete.ts';
import { addReadCommands } from './keys-read.ts';
import { addRotateCommand } from './keys-rotate.ts';
import { addUpdateCommand } from './keys-update.ts';

/** `saring keys …` */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('issue API keys, change them, and look at what was done');
  addCreateCommand(keys);
  addReadCommands(keys);
  addUpdateCommand(keys);
  addRotateCommand(keys);
  for (const [name, description] of [
    ['disable', 'refuse a key until it is enabled again'],
    ['enable', 'take a disabled key back into use'],
  ] as const) {
    keys
      .command(`${name} <id>`)
      .description(description)
      .option('--json', 'one JSON document')
      .addHelpText('after', `\nExample:\n  saring keys ${name} key_0123456789abcdef01234567`)
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
