import { settings as gateway } from '#gateway/config.ts';
import { SERVICES, type ServiceName } from '#services/service-table.ts';

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
