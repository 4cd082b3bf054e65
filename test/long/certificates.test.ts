import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { SecondCopies } from '#support/fleets/second-copies.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { SteadyReader } from '#support/rest/steady-reader.ts';
import { stocksOfLastDay } from '#support/markets/next-day.ts';
import { needing } from '#support/needing.ts';

/** Without this cache, every read calls market-data. */
const UNCACHED = { ANSWER_CACHE_BYTES: '0' };
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

let fleet: Fleet;
let copies: SecondCopies;
let gateway: SecondGateway;
let key: string;

describe('mutual TLS between all processes', needing('openssl', hasOpenssl), () => {
  beforeAll(async () => {
    fleet = await Fleet.start({ ...SMALL_MARKET, WORKERS: '1' });
    key = (await issueKey(fleet.stateDir, 'models:read,models:run,data:read')).key;
    copies = await SecondCopies.start(fleet, { mutualTls: true });
    gateway = await startSecondGateway(
      { ...(await fleet.file()), addresses: copies.addresses },
      { ...UNCACHED, ...copies.tlsOf('gateway') },
    );
  });
  afterAll(async () => {
    await gateway?.stop();
    await copies?.stop();
    await fleet?.stop();
  });

  /** Serial number of the certificate that a service presents on a new connection. */
  function serialShown(address: string): Promise<string> {
    const [ca, cert, privateKey] = Object.values(copies.tlsOf('gateway')).map((file) => readFileSync(file));
    const to = { host: '127.0.0.1', port: Number(address.split(':')[1]), ALPNProtocols: ['h2'] };
    return new Promise((resolve, reject) => {
      const socket = connect({ ...to, ca: ca!, cert: cert!, key: privateKey! }, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  test('every service presents its renewed certificate under load, and no read or run fails', async () => {
    const rest = new Rest(gateway.baseUrl, key);
    const [stock] = await stocksOfLastDay(rest);
    const services = Object.values(copies.addresses);
    const before = await Promise.all(services.map(serialShown));
    const quotes = `/api/v1/data/quotes?tickers=${stock!.ticker}`;
    const reader = new SteadyReader(gateway.baseUrl + quotes, key);
    let [submitted, isOver] = [0, false];
    const submitting = (async () => {
      for (; !isOver; submitted++) await submitRun(rest);
    })();
    const goOn = async () => {
      const [runs, reads] = [submitted, reader.reads];
      await expect.poll(() => Math.min(submitted - runs, reader.reads - reads)).toBeGreaterThan(10);
    };
    await goOn();
    copies.renewCertificates();
    for (const [i, address] of services.entries())
      await expect.poll(() => serialShown(address)).not.toBe(before[i]);
    await goOn();
    isOver = true;
    await Promise.all([submitting, reader.stop()]);
    expect(reader.failures).toEqual([]);

    // New connections use the renewed certificates.
    await copies.restart('market-data');
    await expect.poll(async () => (await rest.get(quotes)).status).toBe(200);
  });
});
