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
  test('a port somebody listens on is not free, and the reason is told', async () => {
    const port = await listen();
    expect(await isPortFree(port)).toBe(false);
    expect(await bindError(port)).toBe('EADDRINUSE');
  });

  test('the usual port is given out where it is free, another one where it is not', async () => {
    const free = await freePort();
    expect(await new Ports([]).usual(free)).toBe(free);
    const taken = await listen();
    expect(await new Ports([]).usual(taken)).not.toBe(taken);
  });

  test('of fleets that start at the same moment only one goes for the usual port', async () => {
    const port = await freePort();
    expect(await new Ports([], { wantsUsual: false }).usual(port)).not.toBe(port);
  });

  test('no port is given out twice, nor one that is reserved', async () => {
    const usual = await freePort();
    const ports = new Ports([usual]);
    const given = [await ports.usual(usual), await ports.free(), await ports.free()];
    expect(new Set([usual, ...given]).size).toBe(4);
  });
});
