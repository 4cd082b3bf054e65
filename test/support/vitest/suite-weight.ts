import { readdirSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { statOf, type ProcessStat } from '../processes/proc-stat.ts';

const SAMPLE_PAUSE_MS = 1_000;
const SLOWEST = 10;

/** What a process is, by the first of these that its command line contains. */
const KINDS: [part: RegExp, kind: string][] = [
  [/vitest/, 'test runners'],
  [/build\/model-worker/, 'workers'],
  [/build\/market-data/, 'market-data'],
  [/build\/gateway/, 'gateways'],
  [/cli\/saring/, 'saring'],
  [/build\/(?!clickhouse)/, 'light services'],
  [/deploy\/local\/main/, 'supervisors'],
  [/clickhouse/, 'ClickHouse'],
  [/postgres|initdb/, 'PostgreSQL'],
  [/nats-server/, 'NATS'],
  [/chrom/, 'browsers'],
];

interface Process {
  kind: string;
  seconds: number;
}

/**
 * Says which files took longest, and what the processors did, so that weight is seen when it is added. Processes are sampled
 * once a second: what those that live for less than that use is left out.
 */
export default class SuiteWeight implements Reporter {
  readonly #processes = new Map<string, Process>();
  #timer: NodeJS.Timeout | undefined;

  onInit(): void {
    this.#timer = setInterval(() => this.#sample(), SAMPLE_PAUSE_MS).unref();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#timer);
    this.#sample();
    const slowest = modules
      .map((module) => ({ seconds: module.diagnostic().duration / 1_000, file: module.relativeModuleId }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST);
    process.stdout.write(`\nThe ${slowest.length} slowest files:\n`);
    for (const { seconds, file } of slowest)
      process.stdout.write(`  ${seconds.toFixed(0).padStart(4)} s  ${file}\n`);
    const byKind = Object.entries(Object.groupBy(this.#processes.values(), ({ kind }) => kind))
      .map(([kind, all]) => ({ kind, seconds: all!.reduce((sum, { seconds }) => sum + seconds, 0) }))
      .toSorted((a, b) => b.seconds - a.seconds);
    const total = byKind.reduce((sum, { seconds }) => sum + seconds, 0);
    process.stdout.write(`\nProcessor time: ${total.toFixed(0)} s\n`);
    for (const { kind, seconds } of byKind)
      process.stdout.write(`  ${seconds.toFixed(0).padStart(4)} s  ${kind}\n`);
  }

  #sample(): void {
    const table = readProcesses();
    for (const { pid, started, seconds } of descendantsOf(process.pid, table)) {
      const key = `${pid} ${started}`;
      const known = this.#processes.get(key);
      // A process that was just forked still has the command line of its parent.
      const kind = known && seconds > 1 ? known.kind : kindOf(pid);
      this.#processes.set(key, { kind: kind ?? known?.kind ?? 'others', seconds });
    }
  }
}

interface ProcessEntry extends ProcessStat {
  pid: number;
}

function readProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return stat ? [{ pid: Number(name), ...stat }] : [];
  });
}

function descendantsOf(pid: number, table: ProcessEntry[]): ProcessEntry[] {
  const found = table.filter((entry) => entry.pid === pid);
  for (const { pid: parent } of found) found.push(...table.filter((entry) => entry.parent === parent));
  return found;
}

function kindOf(pid: number): string | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return KINDS.find(([part]) => part.test(command))?.[1];
  } catch {
    return undefined;
  }
}
