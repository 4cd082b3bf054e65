import { readFileSync } from 'node:fs';
import { probeGateway, probeGrpc, probeTcp } from '#local/processes/probes.ts';
import { loadConfig } from '#platform/configuration/config.ts';
import { grpcTlsSettings } from '#platform/configuration/settings.ts';
import { inTime } from '#platform/process/waiting.ts';
import type { FleetState } from './state.ts';

const RESPONSE_WITHIN_MS = 5_000;
const SERVERS = ['nats', 'postgres', 'clickhouse'];

export interface ProcessStatus {
  name: string;
  /** `up`: answers; `silent`: runs but does not answer; `down`: does not run; `external`: a server that the operator runs. */
  state: 'up' | 'silent' | 'down' | 'external';
  pid: number | null;
  port: number;
  memory_mib: number | null;
  up_seconds: number | null;
  /** Why the process is not up. */
  reason: string | null;
}

/** The status of every process of a running fleet. Probes all of them in parallel. */
export function processesOf({ ports, running }: FleetState): Promise<ProcessStatus[]> {
  const pids = running?.pids ?? {};
  const tls = loadConfig(grpcTlsSettings);
  const probe = (name: string, port: number) => {
    if (SERVERS.includes(name)) return probeTcp(port);
    return name === 'gateway' ? probeGateway(port) : probeGrpc(port, tls);
  };
  return Promise.all(
    Object.entries(ports)
      .filter(isProcess)
      .map(async ([name, port]): Promise<ProcessStatus> => {
        const pid = pids[name] ?? null;
        // A server that this fleet does not run is run by the operator.
        const isOwn = pid !== null || !SERVERS.includes(name) || wasEmbedded(name, running);
        const reason = await reasonOf(probe(name, port));
        const state = reason === null ? 'up' : pid === null ? 'down' : 'silent';
        return { name, state: isOwn ? state : 'external', pid, port, ...usageOf(pid), reason };
      }),
  );
}

/** Excludes second ports of a process, such as `keys operations`. */
function isProcess([name]: [string, number]): boolean {
  return !name.includes(' ');
}

/**
 * Whether the fleet ran the server itself, judged by users: the embedded PostgreSQL is reached as `saring`, only the embedded
 * ClickHouse has an analyst, and on the embedded NATS the services have users of their own.
 */
function wasEmbedded(name: string, running: FleetState['running']): boolean {
  if (!running) return true;
  if (name === 'postgres') return new URL(running.stores.postgres).username === 'saring';
  if (name === 'clickhouse') return running.clickhouse.analyst_user !== null;
  return new URL(running.nats_url.split(',')[0]!).username === 'gateway';
}

async function reasonOf(probe: Promise<void>): Promise<string | null> {
  try {
    await inTime(
      probe,
      RESPONSE_WITHIN_MS,
      () => new Error(`no answer within ${RESPONSE_WITHIN_MS / 1000} s`),
    );
    return null;
  } catch (error) {
    return (error as Error).message || 'no answer';
  }
}

/** Read from Linux; null where there is no /proc. */
function usageOf(pid: number | null): Pick<ProcessStatus, 'memory_mib' | 'up_seconds'> {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const upSinceBoot = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    return {
      memory_mib: resident ? Math.round(Number(resident[1]) / 1024) : null,
      // Field 22 of the file, in hundredths of a second. Two fields come before the split.
      up_seconds: Math.max(0, Math.round(upSinceBoot - Number(fields[19]) / 100)),
    };
  } catch {
    return { memory_mib: null, up_seconds: null };
  }
}
