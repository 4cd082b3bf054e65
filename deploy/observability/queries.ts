import { readdirSync, readFileSync } from 'node:fs';

const RULES = new URL('alerts.yaml', import.meta.url);
const DASHBOARDS = new URL('dashboards/', import.meta.url);

interface Dashboard {
  title: string;
  panels: { title: string; targets: { expr: string }[] }[];
}

/** A query of a panel. */
interface PanelQuery {
  /** The dashboard and the panel, for messages. */
  of: string;
  query: string;
}

export function panelQueries(): PanelQuery[] {
  return readdirSync(DASHBOARDS).flatMap((file) => {
    const { title, panels } = JSON.parse(readFileSync(new URL(file, DASHBOARDS), 'utf8')) as Dashboard;
    return panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({ of: `${title}, ${panel.title}`, query: expr })),
    );
  });
}

export function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
}

/** Names of the project's metrics that the alerts use. */
export function alertMetrics(): string[] {
  return metricsOf(readFileSync(RULES, 'utf8'));
}

/** Names of metrics in a text, both of the project and of every Node process. */
export function metricsOf(text: string): string[] {
  return [...new Set(text.match(/\b(saring|process|nodejs)_[a-z0-9_]+/g))];
}
