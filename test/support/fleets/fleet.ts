import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetDescription } from '#local/state/fleet-file.ts';
import { freePort } from '#local/state/ports.ts';
import { loadSecrets } from '#local/state/secrets.ts';
import { processTable, serviceTable, type Layout } from '#local/configuration/service-table.ts';
import { followLogs, logsOfFleet } from '../processes/test-logs.ts';
import { REPOSITORY } from '../repository.ts';
import { copyMadeOnce } from '../servers/made-once.ts';
import { roleOf, type DatabaseService } from '#postgres/roles.ts';

/** Twenty times as long as a start takes: it ends one that hangs, and must not judge how busy the machine is. */
const START_DEADLINE_MS = 180_000;

/** A generated market that loads in seconds, for tests to which its size does not matter. */
export const SMALL_MARKET = { SAMPLE_TICKERS: '40', SAMPLE_DAYS: '300' };

/** Not part of a copied state, because two fleets with the same ports would conflict. The fleet creates these files again. */
const NOT_COPIED = ['ports.json', 'logs', 'lock', 'cache'];

/** Each service in a process of its own, for tests that kill or freeze one of them. */
export const SEPARATE = { LAYOUT: 'separate' };

/** Settings that make a fleet use other data, or keep its data elsewhere. */
const OTHER_DATA = ['DATASET', 'DATABASE_URL', 'NATS_URL', 'CLICKHOUSE_URL'];

/** Runs that no test has requested, and days that arrive by themselves, would disturb tests that count or time. */
const QUIET = { DAILY_RUNS: 'false', CANARY_SECONDS: '0', GENERATED_MARKET_PACE: 'off' };

/** The content of `fleet.json` of a running fleet. */
export interface FleetFile extends FleetDescription {
  /** By service and server. Services that share a process have the same. */
  pids: Record<string, number>;
  /**
   * Only in a deployment: the command that runs `saring` there. Otherwise a deployment has only its addresses and the
   * operator's token.
   */
  operator_command?: string[];
}

/** The processes of a fleet by the services in them, from its process ids by service: each process once. */
export function byProcess(pids: Record<string, number>): Record<string, number> {
  const names = Object.groupBy(Object.keys(pids), (name) => pids[name]!);
  return Object.fromEntries(
    Object.entries(names).map(([pid, services]) => [services!.join('+'), Number(pid)]),
  );
}

/** The description of a fleet, from its state directory. */
export async function fleetFileIn(stateDir: string): Promise<FleetFile> {
  return JSON.parse(await readFile(path.join(stateDir, 'fleet.json'), 'utf8')) as FleetFile;
}

async function newStateDir(env: Record<string, string>): Promise<string> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'saring-test-'));
  const isSmall = Object.entries(SMALL_MARKET).every(([name, value]) => env[name] === value);
  if (isSmall && OTHER_DATA.every((name) => !env[name]))
    await copyMadeOnce('small-market', stateDir, makeSmallMarketState);
  return stateDir;
}

/** Creating this state takes about as long as the rest of a start. */
async function makeSmallMarketState(stateDir: string): Promise<void> {
  const fleet = await Fleet.start({ ...SMALL_MARKET, STATE_DIR: stateDir });
  await fleet.stop({ keepState: true });
  for (const name of NOT_COPIED) await rm(path.join(stateDir, name), { recursive: true, force: true });
}

/** A complete fleet: embedded servers, new state, free ports. */
export class Fleet {
  readonly stateDir: string;
  readonly #process: ChildProcess;
  readonly #output: () => string;
  readonly #layout: Layout;
  readonly #unfollow: () => void;

  private constructor(stateDir: string, child: ChildProcess, output: () => string, layout: Layout) {
    this.stateDir = stateDir;
    this.#process = child;
    this.#output = output;
    this.#layout = layout;
    this.#unfollow = followLogs(() => logsOfFleet(stateDir));
  }

  /**
   * Starts as `make run` does and returns when everything is ready, data and first run included. With the small market, the
   * fleet starts on a copied state, as if on its second day.
   * @param sources the folder of the programs
   */
  static async start(env: Record<string, string> = {}, sources = REPOSITORY): Promise<Fleet> {
    const fleet = await Fleet.launch(env, sources);
    await fleet.untilReady();
    return fleet;
  }

  /** The same, without waiting until it is ready. */
  static async launch(env: Record<string, string>, sources: string): Promise<Fleet> {
    const stateDir = env['STATE_DIR'] ?? (await newStateDir(env));
    // A `fleet.json` of a killed fleet would look like that of the new one.
    await rm(path.join(stateDir, 'fleet.json'), { force: true });
    // Earlier versions have no main.js.
    const program = ['main.js', 'main.ts'].map((name) => path.join('deploy/local', name));
    const child = spawn(process.execPath, [program.find((file) => existsSync(path.join(sources, file)))!], {
      cwd: sources,
      env: { ...process.env, ...QUIET, STATE_DIR: stateDir, PORT: String(await freePort()), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    const layout = env['LAYOUT'] === 'separate' ? 'separate' : 'shared';
    return new Fleet(stateDir, child, () => output, layout);
  }

  /** Everything that it has printed so far. */
  get output(): string {
    return this.#output();
  }

  /** URL of its PostgreSQL with the login of a service that has a schema there. */
  async databaseUrl(service: DatabaseService): Promise<string> {
    const { postgres_role_passwords } = loadSecrets(path.join(this.stateDir, 'secrets.json'));
    const { ports } = await this.file();
    const login = `${roleOf(service)}:${postgres_role_passwords[service]}`;
    return `postgres://${login}@127.0.0.1:${ports['postgres']}/saring`;
  }

  /** URL of its PostgreSQL with the login of the superuser. */
  async superuserUrl(): Promise<string> {
    const { postgres_password } = loadSecrets(path.join(this.stateDir, 'secrets.json'));
    return `postgres://saring:${postgres_password}@127.0.0.1:${(await this.file()).ports['postgres']}/saring`;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** Reads the file at each call, because process ids change when something restarts. */
  file(): Promise<FleetFile> {
    return fleetFileIn(this.stateDir);
  }

  /** The name that the fleet prints for the process of a service or server. */
  titleOf(name: string): string {
    const services = processTable(serviceTable({ workers: 2 }), this.#layout);
    const server = { nats: 'NATS', postgres: 'PostgreSQL 18', clickhouse: 'ClickHouse' }[name];
    return server ?? services.find((process) => process.services.some((one) => one.name === name))!.title;
  }

  /** How often the process of a service or server has come back after its end. */
  timesBack(name: string): number {
    return this.output.split(`${this.titleOf(name)} is back.`).length - 1;
  }

  /** Kills the process of a service or server as a crash would, with all services in it. */
  async kill9(name: string): Promise<void> {
    const pid = (await this.file()).pids[name];
    if (pid === undefined) throw new Error(`the fleet has no process ${name}`);
    process.kill(pid, 'SIGKILL');
  }

  /** Stops as Ctrl-C does. Returns the exit code, or null if a signal ended the process. */
  async stop({ keepState = false } = {}): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGINT');
    const code = this.#hasEnded ? this.#process.exitCode : await exited;
    this.#unfollow();
    if (!keepState) await rm(this.stateDir, { recursive: true, force: true });
    return code;
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  untilReady(): Promise<void> {
    return this.#untilStarted(() =>
      this.file().then(
        () => true,
        () => false,
      ),
    );
  }

  /** Resolves when it has printed this during its start. */
  untilPrinted(pattern: RegExp): Promise<void> {
    return this.#untilStarted(() => pattern.test(this.output));
  }

  async #untilStarted(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + START_DEADLINE_MS;
    while (Date.now() < giveUpAt && !this.#hasEnded) {
      if (await isSo()) return;
      await sleep(50);
    }
    this.#process.kill('SIGKILL');
    throw new Error(`the fleet did not start:\n${this.output}`);
  }
}
