import { urlsByName } from '#shared/config/config.ts';
import type { ReadinessState } from '#shared/operations/readiness.ts';

/** A process that takes longer is silent: the page of the fleet is read when something hangs. */
const ANSWER_WITHIN_MS = 2_000;

/** A process as its operations port shows it. */
interface ProcessState {
  name: string;
  /** `ready` serves, `not_ready` says why it does not, `silent` does not answer. */
  state: 'ready' | 'not_ready' | 'silent';
  /** Why it does not serve, or does not answer; empty when ready. */
  reasons: string[];
  /** What is away without which it still serves. */
  degraded: string[];
  version: string | null;
  memory_bytes: number | null;
  started_at: Date | null;
}

/** The operations ports that OPERATIONS_URLS names, asked all at once. */
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
    fetch(new URL(path, url), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'error' });
  try {
    const [readiness, metrics] = await Promise.all([
      ask('/readyz').then((answer) => answer.json() as Promise<ReadinessState>),
      ask('/metrics').then((answer) => answer.text()),
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

/** What every process of this project measures of itself, out of the text that Prometheus reads. */
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
