import { Command, CommanderError } from 'commander';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from './terminal/command-failure.ts';
import { note } from './terminal/output.ts';
import { packageVersion } from '#platform/process/package-version.ts';
import { noResponse } from './fleet/fleet-access.ts';
import { gaveNoResponse } from '#platform/grpc/error-metadata.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

const status = async () => (await import('./commands/status.ts')).addStatusCommands;
const backup = async () => (await import('./commands/backup.ts')).addBackupCommands;

/** What adds each command to the program, in the order of the help. */
const COMMANDS: Record<string, () => Promise<(program: Command) => void>> = {
  status,
  doctor: status,
  logs: async () => (await import('./commands/logs.ts')).addLogsCommand,
  runs: async () => (await import('./commands/runs.ts')).addRunsCommands,
  usage: async () => (await import('./commands/usage.ts')).addUsageCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommands,
  dataset: async () => (await import('./commands/dataset.ts')).addDatasetCommands,
  facts: async () => (await import('./commands/facts.ts')).addFactsCommands,
  feed: async () => (await import('./commands/feed.ts')).addFeedCommands,
  record: async () => (await import('./commands/record.ts')).addRecordCommands,
  schedules: async () => (await import('./commands/schedules.ts')).addSchedulesCommands,
  webhooks: async () => (await import('./commands/webhooks.ts')).addWebhooksCommands,
  'end-users': async () => (await import('./commands/end-users.ts')).addEndUsersCommands,
  backup,
  restore: backup,
  mcp: async () => (await import('./commands/mcp.ts')).addMcpCommand,
};

const AFTER_HELP = `
Examples:
  saring status
  saring doctor
  saring keys create --name my-app --scopes models:read,models:run,data:read
  saring dataset import idx-daily.tar.gz --if-changed
  saring dataset show --json

With --json, every command prints one JSON document on standard output (logs: one per line), and all else on standard error.
Exit codes: 0 success, 1 refused by the service or a problem found, 2 wrong usage, 3 no fleet found or it does not answer,
4 refused because the served market would shrink, 5 a service is temporarily unavailable.`;

const program = new Command('saring')
  .description('Operates a running Saring fleet. It finds the fleet by itself.')
  .version(packageVersion(), '--version', 'the version of this program')
  // A --version after a command belongs to that command: it is the version of a dataset.
  .enablePositionalOptions()
  .showHelpAfterError('(--help lists commands and options)')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(terminalText(text, { keepsLines: true })) })
  .addHelpText('after', AFTER_HELP);

/** What they print is JSON, or a protocol. */
const WITHOUT_JSON = new Set(['export', 'mcp']);

/** Loading all commands takes twice as long as most of them run: one that is named is loaded alone. */
const [named = ''] = process.argv.slice(2);
const groups = Object.hasOwn(COMMANDS, named) ? [COMMANDS[named]!] : new Set(Object.values(COMMANDS));
for (const load of groups) (await load())(program);
offerJson(program.commands);

// A reader that closes the pipe early, such as `head`, is not a failure.
process.stdout.on('error', () => process.exit(EXIT.ok));

try {
  await program.parseAsync();
} catch (error) {
  const { message, exitCode } = await describeFailure(error);
  if (message !== undefined) note(`saring: ${terminalText(message)}`);
  process.exitCode = exitCode;
}

/** Every command answers with one JSON document if it is asked for one, but for those that say otherwise. */
function offerJson(commands: readonly Command[]): void {
  for (const command of commands) {
    if (command.commands.length > 0) offerJson(command.commands);
    else if (!WITHOUT_JSON.has(command.name()) && !command.options.some(({ long }) => long === '--json'))
      command.option('--json', 'one JSON document');
  }
}

/** The sentence for a failure, and the exit code. */
async function describeFailure(error: unknown): Promise<{ message: string | undefined; exitCode: number }> {
  // Commander has already printed its message.
  if (error instanceof CommanderError) {
    return { message: undefined, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof CommandFailure) return { message: error.message, exitCode: error.exitCode };
  if (!(error instanceof ServiceError)) return { message: (error as Error).message, exitCode: EXIT.refused };
  if (gaveNoResponse(error)) return noResponse();
  const exitCode = error.httpStatus === 503 ? EXIT.unavailable : EXIT.refused;
  return { message: `${error.message} (${error.code})`, exitCode };
}
