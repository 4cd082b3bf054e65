import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsOfPoint, type LedgerPoint } from './ledger-point.ts';

const TABLE = {
  database: 'usage' as const,
  table: 'event',
  columns: ['end_user', 'event_id', 'state_version'],
};

/** A row of the ledger, and whether its run was open at the point, had ended by then, or was accepted later. */
const row = fc.record({
  endUser: fc.string({ unit: 'grapheme' }).map((name) => name.replaceAll(/[\t\n\\]/g, '')),
  id: fc.integer({ min: 0, max: 30 }).map((number) => `ue_${number}`),
  stateVersion: fc.constantFrom('1', '2'),
});
const atPoint = fc.dictionary(
  fc.integer({ min: 0, max: 30 }).map((number) => `ue_${number}`),
  fc.boolean(),
);

test('the backup keeps rows of runs accepted by the point, and end rows only of runs that were over then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row), atPoint, fc.integer({ min: 1, max: 7 }), async (rows, over, size) => {
      const point: LedgerPoint = { cutMs: 0, isOver: new Map(Object.entries(over)) };
      const lineOf = ({ endUser, id, stateVersion }: (typeof rows)[number]) =>
        `${endUser}\t${id}\t${stateVersion}\n`;
      const bytes = Buffer.from(rows.map(lineOf).join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const wanted = rows.filter(({ id, stateVersion }) => id in over && (over[id] || stateVersion === '1'));
      const kept = await text(Readable.from(chunks).pipe(keepsOfPoint(TABLE, point)));
      expect(kept).toBe(wanted.map(lineOf).join(''));
    }),
  );
});

test.each([['Code: 241. DB::Exception: Memory limit exceeded\n'], ['alice\tue_1']])(
  'a ledger stream that ends in an error, as in %j, aborts the backup',
  async (ending) => {
    const stream = Readable.from([Buffer.from(ending)]).pipe(
      keepsOfPoint(TABLE, { cutMs: 0, isOver: new Map() }),
    );
    await expect(text(stream)).rejects.toThrow('ClickHouse stopped sending the ledger with');
  },
);
