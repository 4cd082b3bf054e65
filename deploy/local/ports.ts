import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
const LOWEST_PORT = 10_240;
/** Below the range from which Linux takes the ports of outgoing connections, unless it was set otherwise. */
const FALLBACK_EPHEMERAL_START = 32_768;
const ATTEMPTS = 200;

/** Whether a server could listen on the port now. */
export async function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await bindError(port, host)) === undefined;
}

/** Why a server could not listen on the port now (`EADDRINUSE`, `EACCES`, …); undefined when it could. */
export function bindError(port: number, host = LOOPBACK): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * A port without a listener, outside the kernel's range for outgoing connections: a process that is restarted a
 * moment later would otherwise find its port taken by some client's connection.
 */
export async function freePort(): Promise<number> {
  const highest = Math.max(ephemeralStart(), LOWEST_PORT + 1000);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, highest);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST_PORT} and ${highest}`);
}

/** Gives out ports for one fleet, none of them twice. */
export class Ports {
  readonly #taken: Set<number>;
  readonly #wantsUsual: boolean;

  constructor(reserved: number[], { wantsUsual = true } = {}) {
    this.#taken = new Set(reserved);
    this.#wantsUsual = wantsUsual;
  }

  /** The port people expect where it is wanted and free, else any free one. */
  async usual(port: number): Promise<number> {
    if (!this.#wantsUsual || this.#taken.has(port) || !(await isPortFree(port))) return this.free();
    this.#taken.add(port);
    return port;
  }

  async free(): Promise<number> {
    for (;;) {
      const port = await freePort();
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
  }
}

function ephemeralStart(): number {
  try {
    const [start] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/);
    return Number(start) || FALLBACK_EPHEMERAL_START;
  } catch {
    return FALLBACK_EPHEMERAL_START;
  }
}
