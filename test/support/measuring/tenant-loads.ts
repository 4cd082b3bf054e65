import { connect } from 'node:net';
import { TENANT_SCOPES, type KeyIssuer } from '../fleets/issued-keys.ts';
import { MODELS } from '#models/registry.ts';
import { request } from '../rest/pipelining-client.ts';
import { Rest } from '../rest/rest.ts';

/** The heavy key, and what it knows of the market. */
interface Heavy {
  rest: Rest;
  baseUrl: string;
  key: string;
  /** Trading days, newest first. */
  days: readonly string[];
  signal: AbortSignal;
}

const CALLER = { endUser: 'heavy' };
const AT_ONCE = 8;
const RULES = 50;
const SIMULATED = { capital_idr: 100_000_000, max_positions: 10, position_pct: 10 };
const CONNECTIONS = 300;
const UNREAD = 16;

/** Fifty conditions on broker fields, each over another window. */
function heavyRules(call: number): string {
  const fields = ['foreign_broker_net_20d_idr', 'retail_net_20d_idr', 'bandar_buy_days_20d_pct'];
  const conditions = Array.from(
    { length: RULES },
    (_, i) => `change(${fields[(call + i) % fields.length]}, ${1 + ((call + 7 * i) % 60)}d) > ${call}`,
  );
  return conditions.join(' or ');
}

/** Sends again and again, some at once, until the signal aborts, whatever the answers are. */
async function ceaselessly({ signal }: Heavy, send: (call: number) => Promise<unknown>): Promise<void> {
  let call = 0;
  const lane = async () => {
    while (!signal.aborted) await send(call++).catch(() => {});
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const pastDay = ({ days }: Heavy, call: number) => days[1 + (call % (days.length - 1))]!;

async function savedScreen({ rest }: Heavy): Promise<string> {
  const screen = { name: 'heavy', rules: 'close > sma_20 and rsi_14 < 60 and is_liquid' };
  const { body } = await rest.post<{ screen_id: string }>('/api/v1/screens', screen, CALLER);
  return body.screen_id;
}

/** What one key can do to a service: each sends as much as it is let, until the signal aborts. */
export const TENANT_LOADS: Readonly<Record<string, (heavy: Heavy) => Promise<void>>> = {
  'quotes beyond the rate limit': (heavy) =>
    ceaselessly(heavy, () => heavy.rest.get('/api/v1/data/quotes?tickers=BBCA')),
  'rules over many windows of broker fields': (heavy) =>
    ceaselessly(heavy, (call) =>
      heavy.rest.post('/api/v1/screens/preview', { rules: heavyRules(call) }, CALLER),
    ),
  'all fields of past days': (heavy) =>
    ceaselessly(heavy, (call) => heavy.rest.get(`/api/v1/fields/values?as_of=${pastDay(heavy, call)}`)),
  'pasts of a screen': async (heavy) => {
    const id = await savedScreen(heavy);
    await ceaselessly(heavy, (call) =>
      heavy.rest.get(`/api/v1/screens/${id}/past?target_gain=${(0.05 + call / 1e4).toFixed(4)}`, CALLER),
    );
  },
  simulations: async (heavy) => {
    const screen_id = await savedScreen(heavy);
    await ceaselessly(heavy, (call) =>
      heavy.rest.post('/api/v1/simulations', { screen_id, ...SIMULATED, capital_idr: 1e8 + call }, CALLER),
    );
  },
  'runs that train': (heavy) =>
    ceaselessly(heavy, (call) => {
      const { id } = MODELS.filter(({ learns }) => learns)[call % 3]!;
      const params = { analysis_date: pastDay(heavy, call) };
      return heavy.rest.post(`/api/v1/models/${id}/runs`, { params }, CALLER);
    }),
  backfills: (heavy) =>
    ceaselessly(heavy, () => {
      const span = { from: heavy.days.at(-1), to: heavy.days[0], step: 'day' };
      return heavy.rest.post('/api/v1/models/model_f_combined/backfills', span, CALLER);
    }),
  'connections with unread requests': async ({ baseUrl, key, signal }) => {
    const { hostname, port } = new URL(baseUrl);
    const bytes = request('/api/v1/data/stocks?limit=1000', `X-API-Key: ${key}\r\n`).repeat(UNREAD);
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => {}).pause();
      socket.write(bytes);
      return socket;
    });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    for (const socket of sockets) socket.destroy();
  },
};

/** Does work while a new key of usual limits has this load running. */
export async function beside<T>(
  load: string,
  { issuer, baseUrl, days }: { issuer: KeyIssuer; baseUrl: string; days: readonly string[] },
  work: () => Promise<T>,
): Promise<T> {
  const { key } = await issuer.issue(TENANT_SCOPES.split(','), USUAL_PER_MINUTE);
  const over = new AbortController();
  const running = TENANT_LOADS[load]!({
    rest: new Rest(baseUrl, key),
    baseUrl,
    key,
    days,
    signal: over.signal,
  });
  try {
    return await work();
  } finally {
    over.abort();
    await running;
  }
}

/** The rate limit of a key, unless the operator chooses another. */
const USUAL_PER_MINUTE = 60;
