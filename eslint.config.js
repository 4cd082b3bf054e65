import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';
import { measuredDurations } from './test/support/lint/measured-durations.ts';

const SERVICES = readdirSync(new URL('services/', import.meta.url), { withFileTypes: true }).flatMap(
  (entry) => (entry.isDirectory() && entry.name !== 'shared' ? [entry.name] : []),
);

const CLIMBING = {
  regex: '^\\.\\./\\.\\./',
  message: 'Leave a module by its #name import, not by climbing the tree.',
};
const ROOMS = [
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

/**
 * Limits what a module may import by #name, a room or a single file of one. Tests and fixtures beside the code may import
 * everything.
 */
const moduleOf = (files, allowed, more = []) => {
  const closed = ROOMS.filter((name) => !allowed.includes(name)).join('|');
  const singleFiles = allowed.filter((name) => name.includes('/')).join('|') || '/';
  const message = `This module may import ${allowed.map((name) => `#${name}`).join(', ') || 'no other module'}.`;
  return {
    files,
    ignores: ['**/*.test.ts', '**/testing/**', '**/*-fixture.ts', '**/*-fixtures.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [CLIMBING, { regex: `^#(?!${singleFiles})(${closed})/`, message }, ...more] },
      ],
    },
  };
};

/**
 * Applications copy this folder. It may import nothing from the rest of the project, except in the file that
 * generates its types, so that it runs on any platform with fetch.
 */
const client = (files, leaving) => ({
  files,
  ignores: ['clients/typescript/generate.ts', '**/*.test.ts', '**/testing/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: `^(#|node:|${leaving})`, message: 'The client stands alone.' }] },
    ],
  },
});

/** Libraries that a service may import besides `shared`. */
const LIBRARIES_OF = {
  feed: ['quant', 'events'],
  keys: ['events'],
  'market-data': ['quant', 'fields', 'market-reader', 'synthetic-market'],
  'model-worker': ['quant', 'market-reader', 'trainer-threads', 'models'],
  models: ['quant', 'models', 'events'],
  screens: ['fields', 'events'],
  webhooks: ['events'],
};

const service = (name) => {
  const others = SERVICES.filter((other) => other !== name).join('|');
  const message = 'Services call each other over gRPC and NATS; they never import each other.';
  return moduleOf(
    [`services/${name}/**/*.ts`],
    ['shared', 'proto', ...(LIBRARIES_OF[name] ?? [])],
    [{ regex: `^\\.\\./(${others})/`, message }],
  );
};

export default tseslint.config(
  { ignores: ['node_modules/', 'proto/gen/', 'clients/typescript/gen/', 'console/gen/', '.saring/'] },
  { files: ['**/*.js'], extends: [tseslint.configs.base] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': ['error', { patterns: [CLIMBING] }],
    },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    plugins: { saring: { rules: { 'measured-durations': measuredDurations } } },
    rules: { 'saring/measured-durations': 'error' },
  },
  moduleOf(['libs/quant/**/*.ts'], ['quant']),
  // A field of each model's results: only the registry is read, never a model's code.
  moduleOf(['libs/fields/**/*.ts'], ['quant', 'fields', 'models']),
  moduleOf(['libs/events/**/*.ts'], ['events', 'proto/saring/wire/v1/words.ts']),
  moduleOf(['libs/market-reader/**/*.ts'], ['quant', 'market-reader']),
  moduleOf(['libs/trainer-threads/**/*.ts'], ['quant', 'trainer-threads']),
  moduleOf(['libs/synthetic-market/**/*.ts'], ['quant', 'synthetic-market']),
  moduleOf(['libs/models/**/*.ts'], ['quant', 'models', 'shared']),
  moduleOf(['services/shared/**/*.ts'], ['proto', 'shared']),
  // Every service tells events in the same way.
  moduleOf(['services/shared/events/**/*.ts'], ['shared', 'proto', 'events']),
  // Market-data and the feed read the same calendar, and neither may import the other.
  moduleOf(['services/shared/config/trading-calendar.ts'], ['shared', 'quant/exchange/calendar']),
  // Market-data and screens refuse the same rules in the same words.
  moduleOf(['services/shared/market/requested-rules.ts'], ['shared', 'fields']),
  ...SERVICES.map(service),
  moduleOf(['gateway/**/*.ts'], ['shared', 'proto', 'gateway', 'models', 'events']),
  // Also operates the local fleet: its state directory and its stores.
  moduleOf(
    ['cli/**/*.ts'],
    ['shared', 'proto', 'cli', 'local', 'clickhouse', 'postgres', 'backup', 'services/service-table.ts'],
  ),
  // The console is an application of the API: it may import the typed client and nothing else of the service.
  {
    files: ['console/**/*.{ts,tsx}'],
    ignores: ['console/build.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            CLIMBING,
            {
              regex: '^(node:|#(?!console/|client/index))',
              message: 'The console has the client alone.',
            },
          ],
        },
      ],
    },
  },
  client(['clients/typescript/*.ts'], '\\.\\./'),
  client(['clients/typescript/resources/*.ts'], '\\.\\./\\.\\./'),
  // Knows of the services only what the table says, the settings of the gateway, and which day is due.
  moduleOf(
    ['deploy/**/*.ts'],
    [
      ...['shared', 'proto', 'local', 'clickhouse', 'nats', 'postgres', 'backup'],
      ...['services/service-table.ts', 'gateway/config.ts'],
      ...['quant/exchange/calendar/due-days.ts', 'quant/exchange/calendar/trading-calendar.ts'],
    ],
  ),
  // The evaluation imports a market and runs the models as the services do, in one process and without a fleet.
  moduleOf(
    ['evaluation/**/*.ts'],
    ['shared', 'proto', 'quant', 'models', 'trainer-threads', 'services', 'cli', 'local', 'evaluation'],
  ),
  // Updates every schema. It may read the services' migrations and nothing else of them.
  moduleOf(['deploy/clickhouse/schemas.ts'], ['shared', 'services']),
);
