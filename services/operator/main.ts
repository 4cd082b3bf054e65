import { Command, CommanderError } from 'commander';
import { ServiceError } from '#shared/service-error.ts';
import { addDatasetCommands } from './commands/dataset.ts';
import { addKeysCommands } from './commands/keys.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 no fleet found or it does not answer.`;

const program = new Command('saring')
  .description('Operates a running Saring fleet, which it finds by itself.')
  .showHelpAfterError('(--help shows what there is)')
  .addHelpText('after', EXIT_CODES);
addKeysCommands(program);
addDatasetCommands(program);
for (const command of [
  program,
  ...program.commands,
  ...program.commands.flatMap((group) => group.commands),
]) {
  command.exitOverride();
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says in one sentence what went wrong and returns the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { message } = error as Error;
  console.error(`saring: ${message}`);
  if (error instanceof CommandFailure) return error.exitCode;
  return error instanceof ServiceError && error.httpStatus === 503 ? EXIT.noFleet : EXIT.refused;
}
