import { Command } from 'commander';
import { terminalText } from '#shared/text/terminal-text.ts';
import { addDatasetCommands } from './commands/dataset.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addSchedulesCommands } from './commands/schedules.ts';
import { EXIT } from './exit-codes.ts';
import { describeFailure } from './failure.ts';
import { note } from './output.ts';

const AFTER_HELP = `
Examples:
  saring keys create --name my-app --scopes models:read,models:run,data:read
  saring dataset import idx-daily.tar.gz --if-changed
  saring dataset show --json

Every command takes --json: one JSON document on standard output, all else on standard error.
Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 no fleet found or it does not answer,
4 refused because the served market would shrink.`;

const program = new Command('saring')
  .description('Operates a running Saring fleet, which it finds by itself.')
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(terminalText(text, { keepsLines: true })) })
  .addHelpText('after', AFTER_HELP);
addKeysCommands(program);
addDatasetCommands(program);
addSchedulesCommands(program);

// A reader that has seen enough, as `head` does, is no failure.
process.stdout.on('error', () => process.exit(EXIT.ok));

try {
  await program.parseAsync();
} catch (error) {
  const { message, exitCode } = describeFailure(error);
  if (message !== undefined) note(`saring: ${terminalText(message)}`);
  process.exitCode = exitCode;
}
