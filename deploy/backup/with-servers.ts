import { Ports } from '#local/state/ports.ts';
import type { Progress } from '#local/progress.ts';
import type { Secrets } from '#local/state/secrets.ts';
import { startServer, type RunningServer } from '#local/servers/embedded-server.ts';
import { planServers } from '#local/servers/plan-servers.ts';
import type { LocalSettings } from '#local/settings.ts';
import type { StateDir } from '#local/state/state-dir.ts';
import { storeUrls, type StoreUrls } from '#local/store-urls.ts';

/** Runs the embedded PostgreSQL and ClickHouse of a state directory while the work lasts; servers of one's own are used as they are. */
export async function withServers(
  context: { settings: LocalSettings; stateDir: StateDir; secrets: Secrets; progress: Progress },
  work: (urls: StoreUrls) => Promise<void>,
): Promise<void> {
  const { settings, stateDir, secrets, progress } = context;
  const servers = await planServers(settings, secrets, stateDir, new Ports([], { wantsUsual: false }));
  const running: RunningServer[] = [];
  try {
    for (const { title, url, port, spec } of [servers.postgres, servers.clickhouse]) {
      if (spec) running.push(await progress.during(title, startServer(spec, url, port)));
    }
    await work(storeUrls(secrets, servers, settings.clickhouse?.cluster));
  } finally {
    await progress.during('the stores to stop', Promise.all(running.map((server) => server.stop())));
  }
}
