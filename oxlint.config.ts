import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintConfig, type OxlintOverride } from 'oxlint';

type RestrictedImports = { regex: string; message: string } | { group: string[]; message: string };

const SERVICES = readdirSync(new URL('services/', import.meta.url), { withFileTypes: true }).flatMap(
  (entry) => (entry.isDirectory() && !['platform', 'shared'].includes(entry.name) ? [entry.name] : []),
);

const CLIMBING = {
  regex: String.raw`^\.\./\.\./`,
  message: 'Leave a module by its #name import, not by climbing the tree.',
};
const ROOMS = [
  'foundation',
  'platform',
  'shared',
  'quant',
  'fields',
  'events',
  'market-reader',
  'trainer-threads',
  'synthetic-market',
  'models',
  'proto',
  'services',
  'gateway',
  'cli',
  'client',
  'mcp',
  'console',
  'local',
  'manifests',
  'clickhouse',
  'nats',
  'postgres',
  'backup',
  'evaluation',
  'support',
];

const NOT_PRODUCT = ['**/*.test.ts', '**/testing/**', '**/*-fixture.ts', '**/*-fixtures.ts'];

/** Refuses some imports of some files. Of several entries for a file the last holds. */
function restricted(files: string[], excludeFiles: string[], patterns: RestrictedImports[]): OxlintOverride {
  return { files, excludeFiles, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/**
 * Limits what a module may import by #name: whole rooms, or folders and single files of one. Tests and fixtures beside the code
 * may import everything.
 */
function moduleOf(files: string[], allowed: string[], more: RestrictedImports[] = []): OxlintOverride {
  const closed = ROOMS.filter((name) => !['foundation', ...allowed].includes(name)).map(
    (name) => `#${name}/**`,
  );
  const opened = allowed
    .filter((name) => name.includes('/'))
    .map((name) => (name.endsWith('.ts') ? `!#${name}` : `!#${name}/**`));
  const message = `This module may import ${allowed.map((name) => `#${name}`).join(', ')}.`;
  return restricted(files, NOT_PRODUCT, [CLIMBING, { group: [...closed, ...opened], message }, ...more]);
}

/** Applications copy this folder. It may import nothing from the rest of the project, so that it runs on any platform with fetch. */
function client(files: string[], leaving: string): OxlintOverride {
  return restricted(
    files,
    ['**/*.test.ts', '**/testing/**'],
    [{ regex: `^(#|node:|${leaving})`, message: 'The client stands alone.' }],
  );
}

/** Libraries that a service may import besides the rooms under all services. */
const LIBRARIES_OF: Record<string, string[]> = {
  feed: ['quant', 'events'],
  keys: ['events'],
  'market-data': ['quant', 'fields', 'market-reader', 'synthetic-market'],
  'model-worker': ['quant', 'market-reader', 'trainer-threads', 'models'],
  models: ['quant', 'models', 'events'],
  screens: [
    'fields',
    'events',
    'quant/performance/verdict.ts',
    'quant/simulation/random-picks.ts',
    'quant/universe/missing-past.ts',
  ],
  webhooks: ['events'],
};

function service(name: string): OxlintOverride {
  const others = SERVICES.filter((other) => other !== name).join('|');
  const message = 'Services call each other over gRPC and NATS; they never import each other.';
  return moduleOf(
    [`services/${name}/**/*.ts`],
    ['platform', 'shared', 'proto', ...(LIBRARIES_OF[name] ?? [])],
    [{ regex: `^\\.\\./(${others})/`, message }],
  );
}

/** What typescript-eslint recommends too. */
const BEYOND_CORRECTNESS = {
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/consistent-type-imports': 'error',
  'typescript/no-empty-object-type': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/no-unnecessary-type-constraint': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-enum-comparison': 'error',
  'typescript/no-unsafe-function-type': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/only-throw-error': 'error',
  'typescript/prefer-promise-reject-errors': 'error',
  'typescript/restrict-plus-operands': 'error',
} as const;

/** Rules about types that hold for TypeScript alone. */
const UNTYPED = Object.fromEntries(
  ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
    `typescript/no-unsafe-${what}`,
    'off' as const,
  ]),
);

const NOT_HERE: NonNullable<OxlintConfig['rules']> = {
  // A name that starts with an underscore is unused on purpose.
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  // Texts here are sorted by code unit and split into code points on purpose, and options are often instances.
  'typescript/require-array-sort-compare': 'off',
  'typescript/no-misused-spread': 'off',
  // Offsets of the first of several places are written as 0 times a width.
  'oxc/erasing-op': 'off',
  // Misses a member that is read only in a function within a method.
  'no-unused-private-class-members': 'off',
};

export default defineConfig({
  options: { typeAware: true, typeCheck: true, denyWarnings: true },
  plugins: ['typescript', 'oxc'],
  jsPlugins: ['./test/support/lint/plugin.ts'],
  categories: { correctness: 'error' },
  rules: { ...BEYOND_CORRECTNESS, ...NOT_HERE },
  ignorePatterns: [
    'proto/gen/',
    'clients/typescript/gen/',
    'clients/typescript/dist/',
    'console/gen/',
    'build/',
    '.saring/',
  ],
  overrides: [
    // They run without types.
    { files: ['**/*.{js,mjs}'], rules: UNTYPED },
    restricted(['**/*.{ts,tsx}'], [], [CLIMBING]),
    { files: ['**/*.test.ts', 'test/**/*.ts'], rules: { 'saring/measured-durations': 'error' } },
    moduleOf(['libs/foundation/**/*.ts'], []),
    moduleOf(['libs/quant/**/*.ts'], ['quant']),
    // A field of each model's results: only the registry is read, never a model's code.
    moduleOf(['libs/fields/**/*.ts'], ['quant', 'fields', 'models']),
    moduleOf(['libs/events/**/*.ts'], ['events', 'proto/saring/wire/v1/words.ts']),
    moduleOf(['libs/market-reader/**/*.ts'], ['quant', 'market-reader']),
    moduleOf(['libs/trainer-threads/**/*.ts'], ['quant', 'trainer-threads']),
    moduleOf(['libs/synthetic-market/**/*.ts'], ['quant', 'synthetic-market']),
    moduleOf(['libs/models/**/*.ts'], ['quant', 'models']),
    moduleOf(['services/platform/**/*.ts'], ['proto', 'platform']),
    // Every service tells events in the same way.
    moduleOf(['services/platform/postgres/outbox-event.ts'], ['platform', 'proto', 'events']),
    moduleOf(['services/shared/**/*.ts'], ['platform', 'proto', 'shared']),
    // Market-data and the feed read the same calendar, and neither may import the other.
    moduleOf(
      ['services/shared/market/trading-calendar.ts'],
      ['platform', 'shared', 'quant/exchange/calendar'],
    ),
    // Market-data and screens refuse the same rules in the same words.
    moduleOf(['services/shared/market/requested-rules.ts'], ['platform', 'shared', 'fields']),
    ...SERVICES.map(service),
    moduleOf(['gateway/**/*.ts'], ['platform', 'shared', 'proto', 'gateway', 'models', 'events']),
    // Tools for agents call the REST API, as an application does.
    moduleOf(
      ['gateway/agents/**/*.ts'],
      ['platform', 'shared', 'proto', 'gateway', 'client/index.ts', 'mcp'],
    ),
    // Also operates the local fleet: its state directory and its stores.
    moduleOf(
      ['cli/**/*.ts'],
      [
        ...[
          'platform',
          'shared',
          'proto',
          'cli',
          'local',
          'clickhouse',
          'postgres',
          'backup',
          'services/service-table.ts',
        ],
        ...['client/index.ts', 'mcp'],
      ],
    ),
    // The console is an application of the API: of the service it may import the typed client, and how rules are read and evaluated.
    restricted(
      ['console/**/*.{ts,tsx}'],
      ['console/build.ts', '**/*.test.ts'],
      [
        CLIMBING,
        {
          group: [
            'node:*',
            ...ROOMS.map((name) => `#${name}/**`),
            ...['!#console/**', '!#client/index.ts'],
            ...['!#fields/rules/**', '!#fields/evaluation/**', '!#fields/field-type.ts'],
          ],
          message: 'The console has the client, and the rules of screens.',
        },
      ],
    ),
    client(['clients/typescript/*.ts'], '\\.\\./'),
    client(['clients/typescript/{following,transport}/*.ts'], '\\.\\./\\.\\./'),
    // Writes the parts of the clients that follow from the declared routes.
    moduleOf(['clients/generator/**/*.ts'], ['gateway']),
    // Agents use the API as applications do.
    moduleOf(['clients/mcp/**/*.ts'], ['client/index.ts', 'fields/rules/suggestion.ts', 'mcp']),
    // Knows of the services only what the table says, the settings of the gateway, and which day is due.
    moduleOf(
      ['deploy/**/*.ts'],
      [
        ...['platform', 'shared', 'proto', 'local', 'clickhouse', 'nats', 'postgres', 'backup'],
        ...['services/service-table.ts', 'services/model-worker/cache/code-digest.ts', 'gateway/config.ts'],
        ...['quant/exchange/calendar/due-days.ts', 'quant/exchange/calendar/trading-calendar.ts'],
      ],
    ),
    // The evaluation imports a market and runs the models as the services do, in one process and without a fleet.
    moduleOf(
      ['evaluation/**/*.ts'],
      [
        'platform',
        'shared',
        'proto',
        'quant',
        'models',
        'trainer-threads',
        'services',
        'cli',
        'local',
        'evaluation',
      ],
    ),
    // Updates every schema. It may read the services' migrations and nothing else of them.
    moduleOf(['deploy/clickhouse/schemas.ts'], ['platform', 'shared', 'services']),
  ],
});
