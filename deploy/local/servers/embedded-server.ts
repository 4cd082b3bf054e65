import { launch, type ProcessEnd, type ProcessSpec } from '../processes/launch.ts';
import { bindError } from '../state/ports.ts';
import { StartError } from '../start-error.ts';

export interface ServerOptions {
  /** Holds the server's data and configuration; made when missing. */
  dir: string;
  /** On 127.0.0.1. */
  port: number;
  /** Gets what the server prints; by default `server.log` in its directory. */
  logFile?: string;
}

/** A server that runs and answers. */
export interface RunningServer {
  /** With user and password. */
  url: string;
  port: number;
  pid: number;
  stop: () => Promise<unknown>;
  exited: Promise<ProcessEnd>;
}

/** Starts one server and waits until it answers; a failed start leaves nothing behind. */
export async function startServer(spec: ProcessSpec, url: string, port: number): Promise<RunningServer> {
  const running = await launch(spec);
  try {
    await running.ready;
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { url, port, pid: running.pid, stop: running.stop, exited: running.exited };
}

/** A server on a port that is taken would look ready while another one answers for it. */
export async function assertServable(title: string, port: number): Promise<void> {
  const error = await bindError(port);
  if (error) throw new StartError(`${title} cannot listen on 127.0.0.1:${port} (${error}).`);
}
