import { launch, type ProcessEnd, type ProcessSpec } from '../processes/launch.ts';
import { bindError } from '../state/ports.ts';
import { StartError } from '../configuration/start-error.ts';

export interface ServerOptions {
  /** Contains the server's data and configuration. Created when missing. */
  dir: string;
  /** The port on 127.0.0.1. */
  port: number;
  /** The file for the server's output; by default `server.log` in its directory. */
  logFile?: string;
}

/** A server that is running and answers. */
export interface RunningServer {
  /** Includes user and password. */
  url: string;
  port: number;
  pid: number;
  stop: () => Promise<unknown>;
  exited: Promise<ProcessEnd>;
}

/** Starts one server and waits until it answers. A failed start leaves no process behind. */
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

/** Fails if the port is taken: the server would look ready because another process answers on it. */
export async function assertServable(title: string, port: number): Promise<void> {
  const error = await bindError(port);
  if (error) throw new StartError(`${title} cannot listen on 127.0.0.1:${port} (${error}).`);
}
