import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** A process that logs through `log`. Its IPC messages report its progress. */
function logging(script: string) {
  const module = JSON.stringify(path.join(import.meta.dirname, 'logger.ts'));
  const head = `import { createLogger } from ${module}; const log = createLogger('test', 'info');`;
  return spawn(process.execPath, ['--input-type=module', '-e', `${head} ${script}`], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

test('a stuck log reader does not block the process and later gets the number of dropped lines', async () => {
  const child = logging(`
    for (let round = 0; round < 100; round++) {
      for (let line = 0; line < 200; line++) log.info({ filler: 'x'.repeat(200) }, 'one of many');
      await new Promise(setImmediate);
    }
    process.send('not blocked');
    process.once('message', async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      log.info('the last one');
      process.disconnect();
    });
  `);
  // Nobody reads yet. A process that waited for its reader would never get this far.
  expect(await once(child, 'message')).toEqual(['not blocked', undefined]);
  const output = text(child.stdout!);
  child.send('read by now');
  const lines = (await output)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; lines?: number });
  const kept = lines.filter(({ msg }) => msg === 'one of many').length;
  const dropped = lines.find(({ msg }) => msg === 'log lines dropped')!.lines!;
  expect(kept).toBeLessThan(20_000);
  expect(kept + dropped).toBe(20_000);
  expect(lines.at(-1)!.msg).toBe('the last one');
});

test('the last log lines of a process that exits immediately are not lost', async () => {
  const child = logging(`
    for (let line = 0; line < 1_000; line++) log.info('before');
    log.fatal({ err: new Error('the reason') }, 'crashed');
    process.exit(1);
  `);
  const lines = (await text(child.stdout!)).trimEnd().split('\n');
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toMatch(/the reason.*crashed/);
});

test.each(['exit', 'fatal line'])('a process whose log reader is gone ends at its %s', async (end) => {
  const child = logging(`
    process.once('message', () => {
      log.info('nobody reads this');
      ${end === 'exit' ? '' : "log.fatal('nor this');"}
      process.exit(3);
    });
    process.send('ready');
  `);
  await once(child, 'message');
  child.stdout!.destroy();
  await once(child.stdout!, 'close');
  child.send('end');
  expect((await once(child, 'exit'))[0]).toBe(3);
});

test.each(['null', 'undefined', "'no error'", '{ code: 7 }', "new Error('no')"])(
  'a crash with %s is logged',
  async (thrown) => {
    const child = logging(`log.fatal({ err: ${thrown} }, 'crashed'); process.disconnect();`);
    expect(JSON.parse(await text(child.stdout!))).toMatchObject({ level: 'fatal', msg: 'crashed' });
  },
);
