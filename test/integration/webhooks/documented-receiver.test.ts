import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import { REPOSITORY } from '#support/repository.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import { attemptDue, KEY, testWebhooks } from '#support/services/test-webhooks.ts';

const own = testWebhooks();
let child: ChildProcess | undefined;
let folder = '';
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Runs the receiver of the document as a reader would. Returns what it prints. */
async function startReceiver(port: number, secret: string): Promise<() => string> {
  const document = await readFile(path.join(REPOSITORY, 'docs/webhooks.md'), 'utf8');
  const code = /```ts\n([^]*?)```/.exec(document)![1]!;
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(17);
  folder = await mkdtemp(path.join(tmpdir(), 'saring-receiver-'));
  // The client as it is here. That its package is the same is for its own tests.
  await writeFile(
    path.join(folder, 'receiver.ts'),
    code.replace("'@saring/client'", JSON.stringify(path.join(REPOSITORY, 'clients/typescript/index.ts'))),
  );
  child = spawn(process.execPath, [path.join(folder, 'receiver.ts')], {
    env: { ...nodeEnvironment(), PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect.poll(() => printed).toContain('listening');
  return () => printed;
}

test('the receiver of the document takes events once, and refuses what is signed by others', async () => {
  const service = own.copy();
  own.now = new Date();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { webhook, secret } = await service.webhooks.create({ url, event_types: [] }, KEY);
  const about = { webhook_id: webhook.webhook_id, api_key_id: KEY };
  const printed = await startReceiver(port, secret);
  await own.arrive(service, { data: { job_id: 'job_1' } });
  await attemptDue(service);
  const [delivery] = (await service.deliveries.list(about, { limit: 1 })).rows;
  await service.deliveries.again(about, delivery!.delivery_id);
  await attemptDue(service);
  await expect.poll(printed).toContain('1 run.succeeded {"job_id":"job_1"}');
  expect(printed().match(/run\.succeeded/g)).toHaveLength(1);

  await service.webhooks.rotate(about);
  own.pass(25 * 3_600_000);
  await own.arrive(service);
  await attemptDue(service);
  const [refused] = (await service.deliveries.list(about, { limit: 1 })).rows;
  expect(refused!.attempts_made).toMatchObject([{ status: 400 }]);
});
