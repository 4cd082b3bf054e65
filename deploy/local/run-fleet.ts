import { secretsIn } from '#platform/configuration/config.ts';
import { offerSignIn } from '#shared/one-time-sign-in.ts';
import { ensureDataset, whenServed } from './first-start/dataset.ts';
import { firstRun } from './first-start/first-run.ts';
import type { FleetFile } from './state/fleet-file.ts';
import type { Fleet } from './fleet.ts';
import { OperatorCli } from './first-start/operator-cli.ts';
import type { Progress } from './progress.ts';
import { RestClient } from './first-start/rest-client.ts';
import { saveSecrets, type Secrets } from './state/secrets.ts';
import { addressSettings } from './configuration/service-table.ts';
import { callerTokens, credentialsOf, storeUrls } from './service-credentials.ts';
import { ANALYST } from './servers/plan-servers.ts';
import { freeStartMemory } from '#platform/process/free-start-memory.ts';
import { userEnvironment } from './processes/service-process.ts';
import type { LocalSettings } from './configuration/settings.ts';
import type { StateDir } from './state/state-dir.ts';
import { describeFleet, describeRun } from './first-start/welcome.ts';

/** Long enough to read the printed text. Afterwards the demo key signs in. */
const SIGN_IN_VALID_MS = 15 * 60_000;

interface RunFleetOptions {
  settings: LocalSettings;
  stateDir: StateDir;
  secrets: Secrets;
  fleet: Fleet;
  fleetFile: FleetFile;
  progress: Progress;
  /** Aborts when the user wants to stop. */
  stopSignal: AbortSignal;
}

/** Starts everything up to a fleet with data, a key and a first result. Writes `fleet.json` last. */
export async function runFleet(options: RunFleetOptions): Promise<void> {
  const { settings, stateDir, secrets, fleet, fleetFile, progress, stopSignal } = options;
  const baseUrl = `http://127.0.0.1:${settings.port}`;
  await fleet.start();

  const rest = new RestClient(baseUrl, stopSignal);
  const cli = new OperatorCli(operatorEnvironment(options), stopSignal);
  const isNew = await ensureDataset(cli, rest, settings);
  const dataset = await progress.during('the dataset to be loaded', whenServed(cli, rest, { isNew }));
  progress.step('✓', `dataset ${dataset.version} is served`);
  const demoKey = await progress.during(
    'the demo key',
    ensureDemoKey(cli, rest, secrets.demo_key, (key) =>
      saveSecrets(stateDir.path('secrets.json'), { ...secrets, demo_key: key }),
    ),
  );
  await showFirstRun(rest.withKey(demoKey), options);

  const signInFile = fleet.serviceSettings.CONSOLE_SIGN_IN_FILE;
  const consoleUrl = `${baseUrl}/console#/sign-in/${offerSignIn(signInFile, demoKey, SIGN_IN_VALID_MS)}`;
  fleetFile.write({ ...describe(options, baseUrl, demoKey), console_url: consoleUrl });
  const { clickhouse } = fleet.servers;
  const analyst = clickhouse.spec && { url: new URL(clickhouse.url).origin, user: ANALYST };
  const isTerminal = process.stdout.isTTY;
  const welcome = { baseUrl, consoleUrl, demoKey, stateDir: stateDir.root, isTerminal, analyst };
  for (const line of describeFleet(welcome)) progress.print(line);
  await freeStartMemory();
}

/** A failed run is reported and does not stop the fleet, because everything else can be tried. */
async function showFirstRun(rest: RestClient, { progress, stopSignal }: RunFleetOptions): Promise<void> {
  try {
    const run = await progress.during('the first run', firstRun(rest));
    for (const line of describeRun(run, process.stdout.columns)) progress.print(line);
  } catch (error) {
    stopSignal.throwIfAborted();
    progress.step('!', `The first run failed: ${(error as Error).message}`);
  }
}

function operatorEnvironment({ fleet, stateDir, progress }: RunFleetOptions): NodeJS.ProcessEnv {
  return {
    ...userEnvironment(stateDir),
    ...addressSettings(fleet.addresses),
    SARING_OPERATOR_TOKEN: secretsIn(fleet.serviceSettings.OPERATOR_TOKEN)[0],
    SARING_FLEET_STARTED_AT_MS: String(Date.now() - progress.elapsedMs),
  };
}

function describe({ settings, secrets, fleet }: RunFleetOptions, baseUrl: string, demoKey: string) {
  const { servers, serviceSettings } = fleet;
  const isOwn = servers.clickhouse.spec !== undefined;
  return {
    base_url: baseUrl,
    demo_key: demoKey,
    ports: {
      gateway: settings.port,
      clickhouse: servers.clickhouse.port,
      nats: servers.nats.port,
      postgres: servers.postgres.port,
    },
    addresses: fleet.addresses,
    ops: fleet.operations,
    operator_token: secretsIn(serviceSettings.OPERATOR_TOKEN)[0],
    gateway_tokens: callerTokens('gateway', secrets),
    clickhouse: {
      // In a cluster, the first server, which queries the others.
      url: new URL(servers.clickhouse.url.split(',')[0]!).origin,
      analyst_user: isOwn ? ANALYST : null,
      analyst_password: isOwn ? secrets.clickhouse_analyst_password : null,
    },
    nats_url: credentialsOf('gateway', secrets, servers).NATS_URL!,
    stores: storeUrls(secrets, servers, settings.clickhouse?.cluster),
  };
}

const SCOPES =
  'models:read,models:run,data:read,usage:read,screens:read,screens:write,webhooks:write,events:read';
const REQUESTS_PER_MINUTE = '600';
const REFUSED = 401;
/** The API key of the demo application: the known one until it is refused. A keys service that is busy refuses nothing. */
async function ensureDemoKey(
  cli: OperatorCli,
  rest: RestClient,
  known: string | undefined,
  save: (key: string) => void,
): Promise<string> {
  if (known !== undefined && (await rest.withKey(known).status('/api/v1/scopes')) !== REFUSED) return known;
  const { secret } = await cli.json<{ secret: string }>(
    ...['keys', 'create', '--name', 'demo', '--scopes', SCOPES, '--rate-limit', REQUESTS_PER_MINUTE],
  );
  save(secret);
  return secret;
}
