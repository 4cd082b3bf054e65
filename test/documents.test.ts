import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIELDS as CATALOGUE } from '#fields/catalogue/catalogue.ts';
import { FIELD_TYPES, UNITS as UNITS_OF_FIELDS } from '#fields/field-type.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { readRules } from '#fields/rules/read-rules.ts';
import { comparisonOf, COMPARISONS, LIMITS, MEASURES, testsOf } from '#fields/rules/rules.ts';
import { MIN_BARS } from '#quant/universe/candidates.ts';
import { leastDays } from '#models/inputs/history.ts';
import { MEMBERSHIPS, STATED_KINDS } from '#quant/corporate-actions/corporate-action.ts';
import { REQUIRED_COLUMNS } from '#services/market-data/import/files/action-table.ts';
import { BROKER_ROW_RULES } from '#services/market-data/import/rules/broker-row-rules.ts';
import { BROKER_COLUMNS } from '#shared/data-format/broker-layout.ts';
import { IDX_COLUMNS, LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { QUIET_DAY, REPEATED_DAY, ROW_RULES } from '#services/market-data/import/rules/row-rules.ts';
import { RUN_ERROR_CODES } from '#models/inputs/run-errors.ts';
import { checkedDefinition, DEFINITION_FIELDS } from '#services/feed/sources/definition.ts';
import { FORMATS } from '#services/feed/formats/formats.ts';
import { DECLARATION_MEMBERS } from '#services/market-data/facts/declared-facts.ts';
import { FACT_COLUMNS } from '#services/market-data/facts/fact-rows.ts';
import { FIELDS, MAPPING_FIELDS, UNITS } from '#services/feed/formats/mapping.ts';
import { VENDOR_CSV, VENDOR_MAPPING } from '#services/feed/formats/mapping-fixture.ts';
import { PROBLEMS } from '#services/feed/deliveries/source-failure.ts';
import { REPOSITORY } from '#support/repository.ts';
import { settingsTable } from '#manifests/generate-manifests.ts';

const read = (file: string) => readFile(path.join(REPOSITORY, file), 'utf8');

const PATH_IN_TEXT = /`((?:deploy|evaluation|gateway|proto|services|test)\/[\w./-]*)`/g;
/** Files that the build or the reader creates. */
const MADE_LATER = /\/gen\/|^deploy\/compose\/(\.env|secrets\/)$/;

async function documents(): Promise<string[]> {
  const inDocs = await readdir(path.join(REPOSITORY, 'docs'));
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...inDocs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
}

test('docs/operations.md lists every setting of every service as it is declared', async () => {
  const declared = settingsTable().trim().split('\n');
  const lines = (await read('docs/operations.md')).split('\n');
  const first = lines.indexOf(declared[0]!);
  const afterTable = lines.findIndex((line, i) => i > first && !line.startsWith('|'));
  // A difference shows the rows that differ.
  expect(lines.slice(first, afterTable)).toEqual(declared);
});

test('every link between documents leads to a file that exists', async () => {
  const broken: string[] = [];
  for (const document of await documents()) {
    for (const [, target] of (await read(document)).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      const linked = path.join(path.dirname(document), target!);
      const exists = await readdir(path.dirname(path.join(REPOSITORY, linked))).then(
        (names) => names.includes(path.basename(linked)),
        () => false,
      );
      if (!exists) broken.push(`${document}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every file and folder that a document names exists', async () => {
  const missing: string[] = [];
  for (const document of await documents()) {
    // The changelog names files of earlier versions.
    if (document === 'CHANGELOG.md') continue;
    for (const [, named] of (await read(document)).matchAll(PATH_IN_TEXT)) {
      if (MADE_LATER.test(named!)) continue;
      const exists = await stat(path.join(REPOSITORY, named!)).catch(() => undefined);
      if (!exists) missing.push(`${document}: ${named}`);
    }
  }
  expect(missing).toEqual([]);
});

/** Sources whose headers and messages say what to run. The image has its own Node. */
async function sources(): Promise<string[]> {
  const folders = ['cli', 'deploy', 'gateway', 'libs', 'services'];
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(path.join(REPOSITORY, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  return files.flat().filter((name) => /\.(ts|sh)$/.test(name) && !/\.test\.ts$|\/gen\//.test(name));
}

test('no document, header or hint runs TypeScript with the Node of the machine, which may be too old for it', async () => {
  const found: string[] = [];
  for (const document of [...(await documents()), 'clients/typescript/README.md', ...(await sources())])
    for (const [, command] of (await read(document)).matchAll(/(?<![\w/])(node [\w./-]+\.ts)\b/g))
      found.push(`${document}: ${command}`);
  expect(found).toEqual([]);
});

test('every document in docs/ is listed in the README', async () => {
  const readme = await read('README.md');
  const unlisted = (await documents()).filter(
    (name) => name !== 'README.md' && !readme.includes(`(${name})`),
  );
  expect(unlisted).toEqual([]);
});

test('the README stays short enough to be read', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThanOrEqual(151);
});

test('docs/analysts.md explains every error code of a run, and no other', async () => {
  const section = /### Why a run failed\n([^]*?)\n##/.exec(await read('docs/analysts.md'))![1]!;
  const explained = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(explained).toEqual(RUN_ERROR_CODES);
});

describe('docs/data-format.md', () => {
  const page = () => read('docs/data-format.md');

  test('names every column that an import knows, and every reason to refuse a row', async () => {
    const text = await page();
    const columns = [...IDX_COLUMNS, ...LISTING_COLUMNS, ...BROKER_COLUMNS];
    expect(columns.filter((column) => !text.includes(`\`${column}\``))).toEqual([]);
    const reasons = [...ROW_RULES, ...BROKER_ROW_RULES].map(({ reason }) => reason);
    expect([...reasons, QUIET_DAY, REPEATED_DAY].filter((reason) => !text.includes(reason))).toEqual([]);
  });

  test('shows lines of the sample that a test imports', async () => {
    const folder = path.join(REPOSITORY, 'deploy/examples/dataset');
    const files = await readdir(folder, { recursive: true });
    const sample = await Promise.all(
      files.filter((name) => name.endsWith('.csv')).map((name) => readFile(path.join(folder, name), 'utf8')),
    );
    const blocks = [...(await page()).matchAll(/^```csv\n([^]*?)^```$/gm)].map(([, block]) => block!);
    expect(blocks).toHaveLength(5);
    expect(blocks.filter((block) => !sample.includes(block))).toEqual([]);
  });

  test('names every kind of corporate action and every column of their table', async () => {
    const text = await page();
    const named = [...STATED_KINDS, ...MEMBERSHIPS, ...REQUIRED_COLUMNS].map((word) => `\`${word}\``);
    expect(named.filter((word) => !text.includes(word))).toEqual([]);
  });

  test('names every column, member, type and unit of facts', async () => {
    const text = await page();
    const named = [...FACT_COLUMNS, ...DECLARATION_MEMBERS, ...FIELD_TYPES, ...UNITS_OF_FIELDS].map(
      (word) => `\`${word}\``,
    );
    expect(named.filter((word) => !text.includes(word))).toEqual([]);
  });

  test('says how many days of history each model needs', async () => {
    const rowOf = (model: string, days: number) => new RegExp(`^\\| ${model}\\b[^|]*\\| ${days} \\|`, 'm');
    const text = await page();
    for (const model of ['A', 'B', 'C', 'E', 'F']) expect(text).toMatch(rowOf(model, leastDays(20)));
    expect(text).toMatch(rowOf('D', MIN_BARS));
    expect(text).toContain(`| ${leastDays(10)} with 10, ${leastDays(40)} with 40 |`);
    expect(text).toContain(
      `| ${leastDays(10)} with 10, ${leastDays(30)} with 30, ${leastDays(40)} with 40 |`,
    );
    expect(text).toContain(`| ${MIN_BARS} with \`use_ml\` false |`);
  });
});

describe('docs/screening.md', () => {
  const page = () => read('docs/screening.md');

  test('says the same in both forms of every condition, and shows each kind of them', async () => {
    const rows = [...(await page()).matchAll(/^\| `([^`]+)` \| `(\{.+\})` \| .+ \|$/gm)];
    const conditions = rows.map(([, text, json]) => {
      const rules = parseRules(text!, CATALOGUE);
      expect(readRules(JSON.parse(json!), CATALOGUE), text).toEqual(rules);
      return rules.where!;
    });
    const tests = conditions.flatMap(testsOf);
    expect(new Set(tests.map(comparisonOf))).toEqual(new Set(COMPARISONS));
    expect(new Set(tests.map(({ as }) => as))).toEqual(new Set([undefined, ...MEASURES]));
    for (const combination of ['all', 'any', 'not'])
      expect(conditions.some((condition) => combination in condition)).toBe(true);
  });

  test('shows whole rules whose two forms have one meaning', async () => {
    const [, text, json] = /^```\n([^`]*)```\n[^`]*```json\n([^`]*)```$/m.exec(await page())!;
    expect(readRules(JSON.parse(json!), CATALOGUE)).toEqual(parseRules(text!, CATALOGUE));
  });

  test('states every limit of rules', async () => {
    const table = /\| Of one set of rules \|[^]*?\n\n/.exec(await page())![0];
    const stated = [...table.matchAll(/\| ([\d,]+) \|$/gm)].map(([, most]) => most);
    expect(stated).toEqual(Object.values(LIMITS).map((most) => most.toLocaleString('en')));
  });
});

describe('docs/feeds.md', () => {
  const page = () => read('docs/feeds.md');

  test('names every field of a source and of a mapping, every unit and every problem', async () => {
    const text = await page();
    const inMapping = [...FIELDS.broker_rows.all, ...FIELDS.bars.required, ...Object.keys(UNITS)];
    const words = [...DEFINITION_FIELDS, ...MAPPING_FIELDS, ...inMapping, ...FORMATS];
    expect(words.filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
    const explained = [...text.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, word]) => word!);
    expect(PROBLEMS.filter((problem) => !explained.includes(problem))).toEqual([]);
  });

  test('shows sources that can be declared, and the mapping and the file that tests read', async () => {
    const blocks = [...(await page()).matchAll(/^```(json|csv)\n([^]*?)^```$/gm)].map(
      ([, , block]) => block!,
    );
    const [declared, , csv, mapping] = blocks;
    expect(csv).toBe(VENDOR_CSV);
    expect(JSON.parse(mapping!)).toEqual(VENDOR_MAPPING);
    const { sources } = JSON.parse(declared!) as { sources: { mapping?: unknown }[] };
    for (const source of sources) {
      const whole = 'mapping' in source ? { ...source, mapping: VENDOR_MAPPING } : source;
      expect(await checkedDefinition(whole, '/')).toHaveProperty('definition');
    }
  });
});
