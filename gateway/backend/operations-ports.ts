import { urlsByName } from '#platform/configuration/config.ts';
import type { ReadinessState } from '#platform/process/readiness.ts';

/** A process that takes longer counts as silent. Short, because people open the fleet page when something hangs. */
const RESPONSE_WITHIN_MS = 2_000;

/** A process as its operations port reports it. */
interface ProcessState {
  name: string;
  /** `ready`: it serves. `not_ready`: it answers that it does not serve. `silent`: it does not answer. */
  state: 'ready' | 'not_ready' | 'silent';
  /** Why it does not serve or does not answer; empty when ready. */
  reasons: string[];
  /** Unavailable parts without which it still serves. */
  degraded: string[];
  version: string | null;
  memory_bytes: number | null;
  started_at: Date | null;
}

/** The operations ports in OPERATIONS_URLS, all asked at the same time. */
export class OperationsPorts {
  readonly #urls: [name: string, url: string][];

  constructor(urls: string) {
    this.#urls = Object.entries(urlsByName(urls));
  }

  states(): Promise<ProcessState[]> {
    return Promise.all(this.#urls.map(([name, url]) => stateOf(name, url)));
  }
}

async function stateOf(name: string, url: string): Promise<ProcessState> {
  const ask = (path: string) =>
    fetch(new URL(path, url), { signal: AbortSignal.timeout(RESPONSE_WITHIN_MS), redirect: 'error' });
  try {
    const [readiness, metrics] = await Promise.all([
      ask('/readyz').then((response) => response.json() as Promise<ReadinessState>),
      ask('/metrics').then((response) => response.text()),
    ]);
    const { ready, reasons, degraded } = readiness;
    return { name, state: ready ? 'ready' : 'not_ready', reasons, degraded, ...measured(metrics) };
  } catch (error) {
    const { cause, message } = error as Error;
    const reason =
      cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : message;
    const unknown = { version: null, memory_bytes: null, started_at: null };
    return { name, state: 'silent', reasons: [reason], degraded: [], ...unknown };
  }
}

/** Reads the metrics that every process of this project exposes, from Prometheus text. */
function measured(metrics: string): Pick<ProcessState, 'version' | 'memory_bytes' | 'started_at'> {
  const gauge = (name: string) => {
    const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? [];
    return value === undefined ? null : Number(value);
  };
  const startedSeconds = gauge('process_start_time_seconds');
  return {
    version: /^saring_process_info\{[^}]*version="([^"]*)"/m.exec(metrics)?.[1] ?? null,
    memory_bytes: gauge('process_resident_memory_bytes'),
    started_at: startedSeconds === null ? null : new Date(startedSeconds * 1_000),
  };
}
