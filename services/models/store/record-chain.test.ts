import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Entry,
  type EntryContent,
  mistakeIn,
  NO_HEAD,
  sealed,
  type VersionBody,
} from './record-chain.ts';

const SECRET = 'record-secret-of-a-test';

const contents = fc
  .array(
    fc.record({
      written_at: fc.date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2100-01-01') }),
      kind: fc.constantFrom('version' as const, 'run' as const, 'outcome' as const),
      model_id: fc.option(fc.string()),
      api_key_id: fc.option(fc.string()),
      job_id: fc.option(fc.string()),
      body: fc.record({ dataset_version: fc.string(), dataset_kind: fc.string(), last_date: fc.string() }),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((list) => list.map((content, i): EntryContent => ({ ...content, seq: i + 1 })));

function chainOf(list: EntryContent[]): Entry[] {
  const chain: Entry[] = [];
  for (const content of list) chain.push(sealed(content, chain.at(-1) ?? NO_HEAD, SECRET));
  return chain;
}

const mistakesIn = (chain: Entry[], secret = SECRET) =>
  chain.flatMap((entry, i) => mistakeIn(entry, chain[i - 1] ?? NO_HEAD, secret) ?? []);

test('an intact chain has no mistakes, even after a round trip through JSON', () => {
  fc.assert(
    fc.property(contents, (list) => {
      const chain = chainOf(list);
      const stored = JSON.parse(JSON.stringify(chain)) as Entry[];
      expect(mistakesIn(chain)).toEqual([]);
      expect(
        mistakesIn(stored.map((entry) => ({ ...entry, written_at: new Date(entry.written_at) }))),
      ).toEqual([]);
    }),
  );
});

test('verification finds an entry that is changed, removed, moved or duplicated', () => {
  const changes: ((entry: Entry) => Entry)[] = [
    (entry) => ({ ...entry, written_at: new Date(entry.written_at.getTime() + 1) }),
    (entry) => ({ ...entry, kind: entry.kind === 'run' ? 'outcome' : 'run' }),
    ...(['model_id', 'api_key_id', 'job_id'] as const).map((name) => (entry: Entry) => ({
      ...entry,
      [name]: `${entry[name] ?? ''}x`,
    })),
    (entry) => ({ ...entry, body: { ...(entry.body as VersionBody), last_date: 'another' } }),
    (entry) => ({ ...entry, hash: entry.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    (entry) => ({ ...entry, hash: '' }),
    (entry) => ({ ...entry, previous_hash: `${entry.previous_hash}0` }),
    (entry) => ({ ...entry, seq: entry.seq + 1 }),
  ];
  fc.assert(
    fc.property(contents, fc.nat(), fc.constantFrom(...changes), (list, at, change) => {
      const chain = chainOf(list);
      const place = at % chain.length;
      const entry = chain[place]!;
      expect(mistakesIn(chain.with(place, change(entry)))).not.toEqual([]);
      expect(mistakesIn(chain.toSpliced(place, 0, entry))).not.toEqual([]);
      const isLast = place === chain.length - 1;
      if (!isLast) {
        expect(mistakesIn(chain.toSpliced(place, 1))).not.toEqual([]);
        expect(mistakesIn(chain.toSpliced(place, 2, chain[place + 1]!, entry))).not.toEqual([]);
      }
    }),
  );
});

test('verification flags every entry sealed with another secret', () => {
  fc.assert(
    fc.property(contents, (list) => {
      expect(mistakesIn(chainOf(list), 'another-secret-of-a-test')).toHaveLength(list.length);
    }),
  );
});
