import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { IDX_HEADER, idxFile, idxLine, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const [first, second, third, fourth] = weekdays('2024-03-04', 4) as [string, string, string, string];

/** The stored closes of refused rows, as text. */
async function refusedCloses(version: string): Promise<string[]> {
  const rows = await own.select<{ row: string }>(
    `SELECT concat(ticker, ' ', toString(date), ' ', toString(close)) AS row FROM market.refused_close
     WHERE dataset_version = {version:String} ORDER BY ticker, date, close`,
    { version },
  );
  return rows.map(({ row }) => row);
}

test('a row that is repeated 100,000 times is stored once, and still explains a reference price', async () => {
  const test = idxLine({ date: second, close: 50, value: 1 });
  const { version, bars, rejections } = await own.published([
    { date: first, close: 100 },
    ...Array.from({ length: 100_000 }, () => test),
    { date: third, close: 100, previous: 50 },
  ]);
  expect(rejections).toEqual([
    { reason: 'value does not fit volume and prices', rows: 100_000, first_at: 'bars/AAAA.csv:3' },
  ]);
  expect(await refusedCloses(version)).toEqual([`AAAA ${second} 50`]);
  expect(bars.map(({ factor }) => factor)).toEqual([1, 1]);
});

test('of 5,000 different prices of one stock and day few are stored, also by versions that follow', async () => {
  const wrong = Array.from({ length: 5_000 }, (_, i) => idxLine({ date: second, close: i + 1, value: 1 }));
  const good = [
    { date: first, close: 100 },
    { date: third, close: 100 },
  ];
  const { version } = await own.published([...good, ...wrong]);
  const stored = await refusedCloses(version);
  expect(stored).toHaveLength(16);
  const later = idxFile([...wrong.slice(2_000), { date: fourth, close: 100 }]);
  const added = await own.importBytes(Buffer.from(later), {
    source: 'AAAA.csv',
    header: { adds: true },
  });
  expect(added.unchanged).toBe(false);
  expect(await refusedCloses(added.dataset!.version)).toEqual(stored);
});

test.each([
  ['alone', (file: string) => gzipSync(file), 'AAAA.csv.gz'],
  ['in many files', (file: string) => tarGzOf(parts(file, 8)), 'test.tar.gz'],
])('megabytes of line ends %s are refused, and the next import follows', async (_, packed, source) => {
  const file = `${IDX_HEADER}\n${idxLine({ date: first, close: 100 })}\n${'\n'.repeat(12 * 1024 * 1024)}`;
  await expect(own.importBytes(await packed(file), { source })).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringContaining(
      'is not market data: up to here, the upload has more empty lines',
    ) as string,
  });
  expect((await own.published([{ date: first, close: 100 }])).bars).toHaveLength(1);
});

// The last one: a refused upload may still hold the turn of imports for a moment when its caller knows of the refusal.
test('chunks of 1 MiB arrive, the largest that an upload may have; one of 3 MiB is refused', async () => {
  const file = idxFile(weekdays('1980-01-01', 11_000).map((date) => ({ date, close: 100 })));
  const send = (mib: number, text = file) =>
    own.importBytes(Buffer.from(text), { source: 'AAAA.csv', chunkBytes: mib * 1024 ** 2 });
  expect(file.length).toBeGreaterThan(1024 ** 2);
  expect((await send(1)).dataset).toMatchObject({ bars: 11_000 });
  await expect(send(3, file.repeat(3))).rejects.toMatchObject({ code: 'payload_too_large' });
});

/** Files with an equal part of the lines each, all with the header. */
function parts(file: string, count: number): Record<string, string> {
  const [header, ...lines] = file.split('\n');
  const size = Math.ceil(lines.length / count);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `bars/T${i}${i}${i}.csv`,
      [header, ...lines.slice(i * size, (i + 1) * size)].join('\n'),
    ]),
  );
}
