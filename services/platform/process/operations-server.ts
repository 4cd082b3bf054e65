import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from './readiness.ts';

/** The address at which a process answers its operator; see `processSettings`. */
export interface OperationsConfig {
  OPS_HOST: string;
  /** Undefined for no server. */
  OPS_PORT: number | undefined;
}

interface OperationsServerOptions {
  config: OperationsConfig & { OPS_PORT: number };
  readiness: Readiness;
  /** The page for Prometheus. */
  metrics: () => Promise<{ contentType: string; text: string }>;
}

/** Requests have a few kilobytes at most and come from few clients. */
const ARRIVAL_MS = 5_000;

/**
 * `/livez` answers as long as the process is alive, `/readyz` whether it can serve (503 with the reasons if not), `/metrics`
 * with its metrics for Prometheus. There is no authentication, so it belongs on loopback or on a network of operators only.
 */
export class OperationsServer {
  readonly #options: OperationsServerOptions;
  readonly #server = createServer(
    { requestTimeout: ARRIVAL_MS, headersTimeout: ARRIVAL_MS, keepAliveTimeout: ARRIVAL_MS },
    (req, res) => void this.#answer(req, res),
  );

  constructor(options: OperationsServerOptions) {
    this.#options = options;
  }

  /** Returns the port, which the system chooses when OPS_PORT is 0. */
  listen(): Promise<number> {
    const { OPS_HOST: host, OPS_PORT: port } = this.#options.config;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(new Error(`OPS_PORT ${port} on ${host} cannot be used: ${error.message}`, { cause: error })),
      );
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ method, url }: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = url?.split('?', 1)[0];
    if (method !== 'GET' && method !== 'HEAD') return send(res, 405, 'only GET');
    try {
      if (path === '/livez') return send(res, 200, { live: true });
      if (path === '/readyz') return await this.#sendReadiness(res);
      if (path === '/metrics') return await this.#sendMetrics(res);
      return send(res, 404, 'there are /livez, /readyz and /metrics');
    } catch (error) {
      return send(res, 500, (error as Error).message);
    }
  }

  async #sendReadiness(res: ServerResponse): Promise<void> {
    const state = await this.#options.readiness.state();
    send(res, state.ready ? 200 : 503, state);
  }

  async #sendMetrics(res: ServerResponse): Promise<void> {
    const { contentType, text } = await this.#options.metrics();
    res.writeHead(200, { 'Content-Type': contentType }).end(text);
  }
}

function send(res: ServerResponse, status: number, body: object | string): void {
  const response = typeof body === 'string' ? { error: body } : body;
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  res.writeHead(status, headers).end(`${JSON.stringify(response)}\n`);
}
