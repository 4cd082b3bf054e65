import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { Fleet } from '../fleets/fleet.ts';
import { saring } from '../fleets/saring-cli.ts';
import { ResponseCheck } from '../fuzzing/response-check.ts';
import { validRequests } from '../fuzzing/fuzz-requests.ts';
import { FuzzClient, type WireResponse, sendAll } from '../fuzzing/fuzz-client.ts';
import { marketUnderTest, marketValues } from '../fuzzing/named-values.ts';
import { dataOperations } from '../declared-api/openapi-document.ts';
import { validDrafts } from '../fuzzing/valid-requests.ts';
import { tarGzOf } from '../markets/idx-archive.ts';
import { Rest } from '../fleets/rest.ts';
import { issueKey } from '../fleets/issued-keys.ts';
import { CsvMarket } from './csv-market.ts';
import { REAL_ARCHIVE, realFiles } from './real-archive.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

/** Enough for each parameter to be present and absent. The sample market gets thousands of requests. */
const REQUESTS_EACH = 20;
/** For reading the archive, starting a fleet and importing, on a busy machine. */
const START_DEADLINE_MS = 120_000;

/** The fleet of a test file, which serves one market after the other. */
let fleet: Fleet | undefined;
afterAll(() => fleet?.stop());

/** Starts the fleet on a market, or replaces the one that it serves. */
async function serve(archive: string): Promise<Fleet> {
  if (fleet === undefined) return (fleet = await Fleet.start({ DATASET: archive, WORKERS: '1' }));
  const { code, stderr } = await saring(fleet.stateDir, 'dataset', 'import', archive, '--replace');
  expect(code, stderr).toBe(0);
  return fleet;
}

/** A fleet on some real stocks, and the files that it imported, from which tests compute expected figures. */
class TestRealMarket {
  fleet!: Fleet;
  rest!: Rest;
  csv!: CsvMarket;
  /** The imported archive of bars. */
  archive!: string;
  #dir!: string;
  #baseUrl!: string;
  #key!: string;

  async start(tickers: string[], until: string): Promise<void> {
    this.#dir = await mkdtemp(path.join(tmpdir(), 'saring-real-'));
    const files = await realFiles(tickers, until);
    this.csv = new CsvMarket(files);
    this.archive = path.join(this.#dir, 'bars.tar.gz');
    await writeFile(this.archive, await tarGzOf(files));
    this.fleet = await serve(this.archive);
    this.#baseUrl = (await this.fleet.file()).base_url;
    const scopes = 'data:read,models:run';
    this.#key = (await issueKey(this.fleet.stateDir, scopes)).key;
    this.rest = new Rest(this.#baseUrl, this.#key);
  }

  async remove(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Sends valid requests to every market-data endpoint and checks the responses against the document. */
  async checkResponsesAgainstTheDocument(): Promise<void> {
    const client = new FuzzClient(this.#baseUrl, this.#key, '');
    const market = marketValues(await marketUnderTest(this.rest));
    try {
      for (const operation of await dataOperations(this.#baseUrl)) {
        const check = new ResponseCheck(operation);
        const faultsOf = (response: WireResponse) => [
          ...check.faults(response),
          ...check.faultsOfSuccess(response),
        ];
        const requests = validRequests(operation, validDrafts(operation, market));
        await sendAll(client, requests, faultsOf, REQUESTS_EACH);
      }
    } finally {
      client.close();
    }
  }

  /** The body of a market-data answer. */
  async get<Body>(where: string): Promise<Body> {
    const { status, body } = await this.rest.get<Body>(`/api/v1/data/${where}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }
}

const isThere = existsSync(REAL_ARCHIVE) && !inject('isDeployment');
/** Options of tests of a fleet on the real market, which a deployment does not have. */
export const needingRealMarket = needing(THE_REAL_MARKET, isThere);

/** Gives a part of a test file the fleet on these real stocks up to a day, until the next part. */
export function testRealMarket(tickers: string[], until: string): TestRealMarket {
  const own = new TestRealMarket();
  beforeAll(() => own.start(tickers, until), START_DEADLINE_MS);
  afterAll(() => own.remove());
  return own;
}
