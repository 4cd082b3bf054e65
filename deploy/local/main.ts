/** `make run`: runs all of Saring on this machine until Ctrl-C. */
import { rmSync } from 'node:fs';
import { inspect } from 'node:util';
import { ConfigError } from '#platform/configuration/config.ts';
import { inSources } from '#platform/operations/source-lines.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { FleetFile } from './state/fleet-file.ts';
import { Fleet } from './fleet.ts';
import { checkDataset, checkDiskSpace, checkPlatform, checkPort } from './preflight.ts';
import { Progress } from './progress.ts';
import { runFleet } from './run-fleet.ts';
import { loadSecrets } from './state/secrets.ts';
import { readSettings } from './configuration/settings.ts';
import { StartError } from './configuration/start-error.ts';
import { checkRestored, StateDir } from './state/state-dir.ts';
import { StateLock } from './state/state-lock.ts';
import { isGivenUp, whenAborted, whenToldToStop } from './stop-signals.ts';

// A closed terminal must not prevent the fleet from stopping in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

let fleet: Fleet | undefined;
const stopSignal = whenToldToStop(() => {
  fleet?.kill();
  process.exit(130);
});
const progress = new Progress({ write: (text) => process.stdout.write(text), now: () => performance.now() });

try {
  await main();
  process.exit(0);
} catch (error) {
  if (isGivenUp(error, stopSignal)) process.exit(0);
  const isPlain = error instanceof StartError || error instanceof ConfigError;
  console.error(terminalText(isPlain ? error.message : inSources(inspect(error)), { keepsLines: true }));
  process.exit(1);
}

async function main(): Promise<void> {
  const settings = readSettings();
  checkPlatform(settings);
  checkDataset(settings.dataset);
  const stateDir = new StateDir(settings.stateDir);
  checkDiskSpace(stateDir.root);
  const lock = await progress.during(
    'the processes of an earlier fleet to end',
    StateLock.take(stateDir.path('lock'), stopSignal),
  );
  try {
    checkRestored(stateDir);
    await checkPort(settings.port);
    stopSignal.throwIfAborted();
    progress.print('Starting Saring.');
    const secrets = loadSecrets(stateDir.path('secrets.json'));
    const fleetFile = new FleetFile(stateDir.path('fleet.json'));
    const pidChanged = (name: string, pid: number | undefined) => {
      lock.note(name, pid);
      fleetFile.setPid(name, pid);
    };
    fleet = await Fleet.plan({ settings, secrets, stateDir, progress, pidChanged });
    stopSignal.throwIfAborted();
    try {
      const running = runFleet({ settings, stateDir, secrets, fleet, fleetFile, progress, stopSignal });
      await Promise.race([running, whenAborted(stopSignal)]);
      await whenAborted(stopSignal);
    } finally {
      fleetFile.remove();
      // An unused sign-in link ends with the fleet.
      rmSync(fleet.serviceSettings.CONSOLE_SIGN_IN_FILE, { force: true });
      progress.print('');
      await progress.during('everything to stop', fleet.stop(), () => 'everything is stopped');
    }
  } finally {
    lock.release();
  }
}
