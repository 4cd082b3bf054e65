import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
const LOWEST_PORT = 10_240;
/** The start of the default range from which Linux takes the ports of outgoing connections. */
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

/** By port, what reserves it. Datagrams have ports of their own, so that a server can still listen on this one. */
const reserved = new Map<number, Socket>();

/**
 * Reserves a port until this process ends, also before anything listens on it. Whether it did, or had done so before; no two
 * processes reserve the same port.
 */
function reserve(port: number): Promise<boolean> {
  if (reserved.has(port)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => {
      reserved.set(port, socket.unref());
      resolve(true);
    });
  });
}

/**
 * A port without a listener, which no other process gets as long as this one lives. It is reserved before it is tried: a trial
 * listens for a moment, and would fail the server of whoever has reserved the port. It is outside the kernel's range for
 * outgoing connections: otherwise a client's connection could take the port of a process while it restarts.
 */
export async function freePort(): Promise<number> {
  const highest = Math.max(ephemeralStart(), LOWEST_PORT + 1000);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, highest);
    if (!reserved.has(port) && (await reserve(port)) && (await isPortFree(port))) return port;
  }
  throw new Error(`no free port found between ${LOWEST_PORT} and ${highest}`);
}

interface PortsOptions {
  /** Whether to give out the usual ports. A second fleet on the machine does not get them. */
  wantsUsual?: boolean;
  /** The ports of the fleet's last start, by name. Each is given out again while it is free. */
  kept?: Record<string, number>;
}

/** Gives out ports by name for one fleet, each only once, and the same ones at each start. */
export class Ports {
  readonly #taken: Set<number>;
  readonly #wantsUsual: boolean;
  readonly #kept: Record<string, number>;
  readonly #given: Record<string, number> = {};

  constructor(reserved: number[], { wantsUsual = true, kept = {} }: PortsOptions = {}) {
    this.#taken = new Set(reserved);
    this.#wantsUsual = wantsUsual;
    this.#kept = kept;
  }

  /** The port of the last start, else the usual one if wanted, else any. Each only if it is free. */
  async usual(name: string, port: number): Promise<number> {
    return this.#give(name, this.#wantsUsual ? port : undefined);
  }

  /** The port of the last start if it is free, else any free one. */
  async free(name: string): Promise<number> {
    return this.#give(name, undefined);
  }

  /** All ports that were given out, by name. The next start passes them as `kept`. */
  get given(): Record<string, number> {
    return { ...this.#given };
  }

  async #give(name: string, usual: number | undefined): Promise<number> {
    const port = await this.#firstFree([this.#kept[name], usual]);
    this.#taken.add(port);
    this.#given[name] = port;
    return port;
  }

  async #firstFree(wanted: (number | undefined)[]): Promise<number> {
    for (const port of wanted)
      if (port !== undefined && !this.#taken.has(port) && (await reserve(port)) && (await isPortFree(port)))
        return port;
    const ofOthers = new Set(Object.values(this.#kept));
    for (;;) {
      const port = await freePort();
      if (!this.#taken.has(port) && !ofOthers.has(port)) return port;
    }
  }
}

/** The ports of the last start. Empty when the file is missing or invalid, because other ports work too. */
export function readPorts(file: string): Record<string, number> {
  try {
    const ports = Object.entries((JSON.parse(readFileSync(file, 'utf8')) ?? {}) as object);
    return Object.fromEntries(
      ports.filter(([, port]) => Number.isInteger(port) && port > 0 && port < 65_536),
    );
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
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
