import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { Manifest } from '#backup/manifest.ts';
import type { FleetDescription } from '#local/state/fleet-file.ts';
import { Progress } from '#local/progress.ts';
import { findFleetFile } from '../fleet/fleet-access.ts';
import { answer, type OutputOptions } from '../terminal/output.ts';

const BACKUP_HELP = `
The backup is of one point in time: it contains every run, consent and key that was acknowledged before that point. The
fleet keeps running. The backup contains every secret of the fleet, so that keys, cursors and the record keep working: keep
it as safe as .saring.

It does not contain what the fleet forgets anyway or makes again: full results, models and explanations of the last hour,
the queue (waiting runs are queued again from their rows), logs and settings.

Examples:
  saring backup /var/backups/saring-$(date +%F).tar
  saring backup /mnt/backups/saring-$(date +%F)      # a folder with one file per table`;

const RESTORE_HELP = `
Restores into the state directory that STATE_DIR names, otherwise .saring in this folder. It must be empty or missing. Every
part of the backup is verified before anything is written. Afterwards, 'make run' starts the fleet from it: waiting runs are
queued again, and runs that were in progress become interrupted.

Your own servers (DATABASE_URL, CLICKHOUSE_URL) are filled too; they must be empty.

Example:
  STATE_DIR=/srv/saring saring restore /var/backups/saring-2027-01-31.tar`;

/** `saring backup` and `restore` */
export function addBackupCommands(program: Command): void {
  program
    .command('backup <file-or-folder>')
    .description('copy all data of the running fleet; a name that ends in .tar makes one file')
    .addHelpText('after', BACKUP_HELP)
    .action(backup);
  program
    .command('restore <file-or-folder>')
    .description('restore a backup into an empty state directory')
    .addHelpText('after', RESTORE_HELP)
    .action(restore);
}

/** Only this command loads the backup module, so that all other commands start faster. */
async function backup(target: string, options: OutputOptions): Promise<void> {
  const { takeBackup } = await import('#backup/take-backup.ts');
  const file = findFleetFile();
  const { stores } = JSON.parse(await readFile(file, 'utf8')) as FleetDescription;
  const manifest = await takeBackup({
    urls: stores,
    secretsFile: path.join(path.dirname(file), 'secrets.json'),
    target: path.resolve(target),
    progress: progress(),
  });
  answer(options, summary(manifest), () => `The backup is in ${target}: ${contents(manifest)}.`);
}

async function restore(source: string, options: OutputOptions): Promise<void> {
  const { restoreBackup } = await import('#backup/restore-backup.ts');
  const { readSettings } = await import('#local/configuration/settings.ts');
  const settings = readSettings();
  const manifest = await restoreBackup({ source: path.resolve(source), settings, progress: progress() });
  answer(
    options,
    { state_dir: settings.stateDir, ...summary(manifest) },
    () =>
      `${settings.stateDir} is restored to ${manifest.point}: ${contents(manifest)}.\n` +
      `Start the fleet with: ${startOf(process.env['STATE_DIR'] && settings.stateDir)}`,
  );
}

/** The command that starts the restored fleet. A state directory that was named must be named again. */
function startOf(stateDir: string | undefined): string {
  return stateDir ? `STATE_DIR=${shellWord(stateDir)} make run` : 'make run';
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function progress(): Progress {
  return new Progress({ write: (text) => process.stderr.write(text), now: () => performance.now() });
}

function summary({ point, dataset_version, parts }: Manifest) {
  const tables = parts.map(({ store, schema, table, rows, bytes, sha256 }) => {
    return { store, table: `${schema}.${table}`, rows, bytes, sha256 };
  });
  return { point, dataset_version, tables };
}

function contents({ parts, dataset_version }: Manifest): string {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const mib = parts.reduce((sum, part) => sum + part.bytes, 0) / 1024 ** 2;
  const dataset = dataset_version === null ? 'no dataset' : `dataset ${dataset_version}`;
  return `${rows.toLocaleString('en')} rows in ${parts.length} parts, ${mib.toFixed(1)} MiB, ${dataset}`;
}
