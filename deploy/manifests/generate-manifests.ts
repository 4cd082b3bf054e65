import { readFileSync } from 'node:fs';
import path from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { settings as gateway } from '#gateway/config.ts';
import { SERVICES, type ServiceName } from '#services/service-table.ts';
import { composeServices } from './compose-services.ts';
import { kubernetesServices } from './kubernetes-services.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const WRITTEN = 'Written by `make manifests`';
const COMPOSE_BEGIN = `  # ${WRITTEN} from services/service-table.ts, to the line that says so.\n`;
const COMPOSE_END = '\n  # The end of what `make manifests` writes.\n';

interface WrittenFile {
  /** Path relative to the root of the project. */
  file: string;
  /** What the file must contain now. */
  content: string;
}

/** The files, or parts of files, that follow from the table of services and their settings. */
export async function writtenFiles(): Promise<WrittenFile[]> {
  return [
    await yaml(
      'deploy/kubernetes/services.yaml',
      () => `# ${WRITTEN} from services/service-table.ts.\n${kubernetesServices()}`,
    ),
    await yaml('deploy/compose/compose.yaml', (file) =>
      between(read(file), COMPOSE_BEGIN, composeServices(), COMPOSE_END),
    ),
    { file: 'docs/operations.md', content: withTable(read('docs/operations.md'), settingsTable()) },
  ];
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

async function yaml(file: string, contentOf: (file: string) => string): Promise<WrittenFile> {
  const { code } = await format(file, contentOf(file), JSON.parse(read('.oxfmtrc.json')) as FormatConfig);
  return { file, content: code };
}

function between(text: string, begin: string, content: string, end: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error('the compose file lacks the lines around what is written into it');
  return text.slice(0, from) + begin + content + text.slice(to);
}

/** The table begins with the same line and ends before the first line that is not part of a table. */
function withTable(text: string, table: string): string {
  const lines = text.split('\n');
  const first = lines.indexOf(table.split('\n')[0]!);
  const after = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return [...lines.slice(0, first), table, ...lines.slice(after)].join('\n');
}

/** The settings that each process reads from its environment. */
export const SETTINGS = {
  gateway,
  ...(Object.fromEntries(Object.entries(SERVICES).map(([name, { settings }]) => [name, settings])) as {
    [Name in ServiceName]: (typeof SERVICES)[Name]['settings'];
  }),
};

interface Setting {
  desc?: string;
  default?: unknown;
}

/** The table of settings in docs/operations.md, generated from the declarations of the services. */
export function settingsTable(): string {
  const rows = new Map<string, { setting: Setting; services: string[] }>();
  for (const [service, settings] of Object.entries(SETTINGS)) {
    for (const [name, setting] of Object.entries(settings as Record<string, Setting>)) {
      const row = rows.get(name) ?? { setting, services: [] };
      rows.set(name, { setting, services: [...row.services, service] });
    }
  }
  const lines = [...rows].map(([name, { setting, services }]) => {
    const readers = services.length === Object.keys(SETTINGS).length ? 'all' : services.join(', ');
    return `| \`${name}\` | ${setting.desc} | ${shownDefault(setting)} | ${readers} |`;
  });
  return ['| Setting | What | Default | Read by |', '|---|---|---|---|', ...lines.toSorted()].join('\n');
}

function shownDefault(setting: Setting): string {
  if (!('default' in setting)) return 'required';
  const value = setting.default as string | number | boolean | undefined;
  if (value === undefined) return 'not set';
  return value === '' ? 'empty' : `\`${value}\``;
}
