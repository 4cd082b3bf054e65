import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#local/state/ports.ts';
import { waitFor } from '#platform/process/waiting.ts';
import { createLogger } from '#platform/operations/logger.ts';

const log = createLogger('test', 'silent');

/** A local Prometheus that scrapes these addresses every second under the job name of the alerts. It can have rules. */
export class PrometheusServer {
  readonly #url: string;
  readonly #stop: () => void;

  private constructor(url: string, stop: () => void) {
    this.#url = url;
    this.#stop = stop;
  }

  static async start(targets: string[], rules?: string): Promise<PrometheusServer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'saring-prometheus-'));
    const scrape = { job_name: 'saring', static_configs: [{ targets }] };
    // Prometheus reads YAML, and JSON is valid YAML.
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      scrape_configs: [scrape],
      rule_files: rules === undefined ? [] : [path.join(folder, 'rules.yml')],
    };
    if (rules !== undefined) writeFileSync(path.join(folder, 'rules.yml'), rules);
    writeFileSync(path.join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const args = [
      `--config.file=${path.join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const child = spawn('prometheus', args, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const server = new PrometheusServer(`http://${address}`, () => {
      child.kill();
      void ended.then(() => rmSync(folder, { recursive: true, force: true }));
    });
    const isReady = async () => {
      const { ok } = await fetch(`http://${address}/-/ready`);
      if (!ok) throw new Error('not ready');
    };
    await waitFor('Prometheus', isReady, { log });
    return server;
  }

  /** The current values of a query, without those that are not numbers. */
  async values(query: string): Promise<number[]> {
    const { result } = await this.#get<Values>(`query?${new URLSearchParams({ query }).toString()}`);
    return result.map(({ value }) => Number(value[1])).filter((value) => Number.isFinite(value));
  }

  /** Names of the alerts that are firing. */
  async firing(): Promise<Set<string>> {
    const { alerts } = await this.#get<Alerts>('alerts');
    return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
  }

  stop(): void {
    this.#stop();
  }

  async #get<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.#url}/api/v1/${path}`);
    const { status, error, data } = (await response.json()) as Answer<Data>;
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }
}

interface Answer<Data> {
  status: string;
  error?: string;
  data: Data;
}

interface Values {
  result: { value: [number, string] }[];
}

interface Alerts {
  alerts: { labels: { alertname: string }; state: string }[];
}
