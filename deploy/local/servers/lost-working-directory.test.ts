import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickhouseProcess, startClickhouseServer, type ClickhouseOptions } from './clickhouse-server.ts';
import { freePort } from '../state/ports.ts';
import { launch } from '../processes/launch.ts';
import type { RunningServer } from './embedded-server.ts';

const ASKING_AT_ONCE = 4;

let options: ClickhouseOptions;
let server: RunningServer | undefined;

beforeAll(async () => {
  options = {
    dir: mkdtempSync(path.join(tmpdir(), 'saring-clickhouse-')),
    port: await freePort(),
    users: [{ user: 'fleet', password: 'fleet-of-this-test' }],
    analyst: { user: 'analyst', password: 'analyst-of-this-test' },
  };
});

afterAll(async () => {
  await server?.stop();
  rmSync(options.dir, { recursive: true, force: true });
});

/** The answers to an analyst who asks for files all the time, also before the server answers, and once after the work. */
async function responsesDuring(work: () => Promise<void>): Promise<string[]> {
  const responses: string[] = [];
  const done = new AbortController();
  const asking = Array.from({ length: ASKING_AT_ONCE }, (_, index) =>
    askUntil(done.signal, index % 2 ? import.meta.filename : '../users.xml', responses),
  );
  await work().finally(() => done.abort());
  await Promise.all(asking);
  return responses;
}

async function askUntil(done: AbortSignal, name: string, responses: string[]): Promise<void> {
  const { user, password } = options.analyst;
  for (let last = false; !last; await sleep(2)) {
    last = done.aborted;
    await fetch(`http://127.0.0.1:${options.port}/`, {
      method: 'POST',
      body: `SELECT file('${name}')`,
      headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
    })
      .then((response) => response.text())
      .then((text) => responses.push(text))
      .catch(nobodyAnswers);
  }
}

function nobodyAnswers(error: unknown): void {
  // Refused before the server listens, or cut off when it ends. Any other error is a bug in the test.
  if (!(error instanceof TypeError)) throw error;
}

async function startAndServe(): Promise<void> {
  server = await startClickhouseServer(options);
}

async function startAndDieEarly(): Promise<void> {
  const starting = await launch(clickhouseProcess(options));
  while (!existsSync(path.join(options.dir, 'store'))) await sleep(2);
  starting.kill();
  await starting.exited;
}

test('the analyst cannot read host files while the server starts, even after a kill -9', async () => {
  expect(await responsesDuring(startAndDieEarly)).toEqual([]);
  for (let start = 0; start < 3; start++) {
    const responses = await responsesDuring(startAndServe);
    expect(responses.filter((response) => !response.includes('getcwd failed'))).toEqual([]);
    expect(responses).not.toEqual([]);
    process.kill(server!.pid, 'SIGKILL');
    await server!.exited;
  }
});
