import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { bindError, freePort, isPortFree, Ports } from './ports.ts';

let server: Server | undefined;

async function listen(): Promise<number> {
  const port = await freePort();
  server = createServer();
  await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
  return port;
}

afterEach(() => void server?.close());

describe('ports', () => {
  test('a port in use is not free, and the reason is given', async () => {
    const port = await listen();
    expect(await isPortFree(port)).toBe(false);
    expect(await bindError(port)).toBe('EADDRINUSE');
  });

  test('the usual port is assigned if it is free, otherwise another one', async () => {
    const free = await freePort();
    expect(await new Ports([]).usual('nats', free)).toBe(free);
    const taken = await listen();
    expect(await new Ports([]).usual('nats', taken)).not.toBe(taken);
  });

  test('a port that another process has got is not assigned until that process ends', async () => {
    const other = fork(new URL('./got-port-fixture.ts', import.meta.url));
    const [port] = (await once(other, 'message')) as [number];
    expect(await isPortFree(port)).toBe(true);
    expect(await new Ports([]).usual('nats', port)).not.toBe(port);
    other.kill();
    await once(other, 'exit');
    expect(await new Ports([]).usual('nats', port)).toBe(port);
  });

  test('a fleet that does not want the usual port gets another one', async () => {
    const port = await freePort();
    expect(await new Ports([], { wantsUsual: false }).usual('nats', port)).not.toBe(port);
  });

  test('no port is assigned twice, and no reserved one', async () => {
    const usual = await freePort();
    const ports = new Ports([usual]);
    const given = [await ports.usual('nats', usual), await ports.free('keys'), await ports.free('usage')];
    expect(new Set([usual, ...given]).size).toBe(4);
  });

  test('a restart assigns the same ports, except one that is now in use', async () => {
    const first = new Ports([]);
    for (const name of ['keys', 'usage', 'models']) await first.free(name);
    const kept = first.given;
    const again = new Ports([], { kept });
    for (const name of ['models', 'keys', 'usage']) await again.free(name);
    expect(again.given).toEqual(kept);

    const taken = await listen();
    const third = new Ports([], { kept: { ...kept, usage: taken } });
    for (const name of ['usage', 'keys', 'models']) await third.free(name);
    expect(third.given).toEqual({
      ...kept,
      usage: expect.not.toBeOneOf([taken, kept['keys'], kept['models']]) as number,
    });
  });
});
