import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolders } from '#support/fleets/cli-surroundings.ts';
import { REPOSITORY } from '#support/repository.ts';
import { requireImage } from '#support/servers/required-image.ts';

const IMAGE = 'docker.io/library/nats:2.14';
/** Well above the ten seconds after which a silent registry counts as not having an image, and below an engine's own patience. */
const PATIENCE_MS = 60_000;

afterAll(removeFolders);

describe('make compose', () => {
  /** What `require_image` says with an engine that has no images and pulls like this. */
  async function said(pull: string): Promise<{ code: number; output: string }> {
    const engine = path.join(await makeFolder(), 'engine');
    await writeFile(engine, `#!/usr/bin/env bash\n[ "$1" = pull ] || exit 1\n${pull}\n`);
    await chmod(engine, 0o755);
    const script = `. deploy/compose/engine.sh; require_image ${IMAGE}`;
    return new Promise((resolve) => {
      execFile(
        'bash',
        ['-c', script],
        { cwd: REPOSITORY, env: { ...process.env, ENGINE: engine }, timeout: PATIENCE_MS },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });
  }

  test('names an image that the engine cannot fetch, and why', async () => {
    const { code, output } = await said('echo "Trying to pull"; echo "connection refused" >&2; exit 125');
    expect(code).toBe(1);
    expect(output).toContain(`The image ${IMAGE} is not here, and `);
    expect(output).toContain('connection refused');
  });

  test(
    'gives up on an engine that hears nothing of its registry',
    async () => {
      const { code, output } = await said('echo "Trying to pull"; exec sleep 300');
      expect(code).toBe(1);
      expect(output).toContain(`The image ${IMAGE} is not here`);
    },
    PATIENCE_MS,
  );

  test('waits for an image that is on its way', async () => {
    const { code, output } = await said('echo "2.14: Pulling from library/nats"; sleep 1');
    expect([code, output]).toEqual([0, expect.not.stringContaining('is not here')]);
  });

  test('asks for every image of the compose file and of the build', async () => {
    const script = '. deploy/compose/engine.sh; images';
    const listed = await new Promise<string>((resolve) => {
      execFile(
        'bash',
        ['-c', script],
        { cwd: REPOSITORY, env: { ...process.env, ENGINE: 'true' } },
        (_, out) => resolve(out),
      );
    });
    expect(
      listed
        .trim()
        .split('\n')
        .map((image) => image.replace(/:.*/, '')),
    ).toEqual([
      'docker.io/clickhouse/clickhouse-server',
      'docker.io/library/haproxy',
      'docker.io/library/nats',
      'docker.io/library/node',
      'docker.io/library/postgres',
      'docker.io/library/redis',
    ]);
  });
});

/** Sends this, and then nothing. */
async function* onlyBeginning(text: string): AsyncGenerator<string> {
  yield text;
  await new Promise(() => {});
}

describe('servers of tests in containers', () => {
  const engineThat = (pull: () => Promise<Readable>, isHere = false) => ({
    getImage: () => ({
      inspect: () => (isHere ? Promise.resolve() : Promise.reject(new Error('no such image'))),
    }),
    pull,
  });
  const reports = (...lines: object[]) =>
    Promise.resolve(Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`)));

  test('name an image that the engine cannot fetch, whether it says so or nothing', async () => {
    const refused = engineThat(() => reports({ error: 'manifest unknown' }));
    await expect(requireImage(refused, IMAGE)).rejects.toThrow(
      new RegExp(`${IMAGE} is not here.+manifest unknown`),
    );
    const unavailable = engineThat(() => Promise.reject(new Error('connection refused')));
    await expect(requireImage(unavailable, IMAGE)).rejects.toThrow(
      new RegExp(`${IMAGE} is not here.+connection refused`),
    );
    const trying = JSON.stringify({ stream: 'Trying to pull' });
    const silent = engineThat(async () => Readable.from(onlyBeginning(`${trying}\n`)));
    await expect(requireImage(silent, IMAGE, 50)).rejects.toThrow(
      new RegExp(`${IMAGE} is not here.+sent nothing`),
    );
  });

  test('fetch an image that is not here, and none that is', async () => {
    await requireImage(
      engineThat(() => reports({ status: 'Pulling' }, { status: 'Done' })),
      IMAGE,
    );
    const never = () => Promise.reject(new Error('pulled'));
    await requireImage(engineThat(never, true), IMAGE);
  });
});
