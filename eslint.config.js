import tseslint from 'typescript-eslint';

const SERVICES = [
  'consent',
  'keys',
  'market-data',
  'model-worker',
  'models',
  'operator',
  'scheduler',
  'usage',
];

const CLIMBING = {
  regex: '^\\.\\./\\.\\./',
  message: 'Leave a module by its #name import, not by climbing the tree.',
};
const ROOMS = [
  'shared',
  'quant',
  'market-reader',
  'trainer-threads',
  'synthetic',
  'screens',
  'proto',
  'services',
  'gateway',
  'local',
  'clickhouse',
  'nats',
  'postgres',
  'backup',
  'evaluation',
  'support',
];

/** Limits what a module may import by #name. Tests and fixtures beside the code may import everything. */
const moduleOf = (files, allowed, more = []) => {
  const closed = ROOMS.filter((name) => !allowed.includes(name)).join('|');
  const message = `This module may import ${allowed.map((name) => `#${name}`).join(', ') || 'no other module'}.`;
  return {
    files,
    ignores: ['**/*.test.ts', '**/testing/**', '**/*-fixture.ts', '**/*-fixtures.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [CLIMBING, { regex: `^#(${closed})/`, message }, ...more] },
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
  ignores: ['gateway/client/generate.ts', '**/*.test.ts', '**/testing/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: `^(#|node:|${leaving})`, message: 'The client stands alone.' }] },
    ],
  },
});

/** Libraries that a service may import besides `shared`. */
const LIBRARIES_OF = {
  'market-data': ['quant', 'market-reader', 'synthetic'],
  'model-worker': ['quant', 'market-reader', 'trainer-threads', 'screens'],
  models: ['quant', 'screens'],
  // Also operates the local fleet: its state directory and its stores.
  operator: ['local', 'clickhouse', 'postgres', 'backup'],
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
  { ignores: ['node_modules/', 'proto/gen/', 'gateway/client/gen/', 'gateway/console/gen/', '.saring/'] },
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
  moduleOf(['services/quant/**/*.ts'], ['quant']),
  moduleOf(['services/market-reader/**/*.ts'], ['quant', 'market-reader']),
  moduleOf(['services/trainer-threads/**/*.ts'], ['quant', 'trainer-threads']),
  moduleOf(['services/synthetic/**/*.ts'], ['quant', 'synthetic']),
  moduleOf(['services/screens/**/*.ts'], ['quant', 'screens', 'shared']),
  moduleOf(['services/shared/**/*.ts'], ['proto', 'shared']),
  ...SERVICES.map(service),
  moduleOf(['gateway/**/*.ts'], ['shared', 'proto', 'gateway', 'screens']),
  // The console is an application of the API: it may import the typed client and nothing else of the service.
  {
    files: ['gateway/console/**/*.{ts,tsx}'],
    ignores: ['gateway/console/build.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            CLIMBING,
            {
              regex: '^(node:|#(?!console/|gateway/client/index))',
              message: 'The console has the client alone.',
            },
          ],
        },
      ],
    },
  },
  client(['gateway/client/*.ts'], '\\.\\./'),
  client(['gateway/client/resources/*.ts'], '\\.\\./\\.\\./'),
  moduleOf(['deploy/**/*.ts'], ['shared', 'proto', 'local', 'clickhouse', 'nats', 'postgres', 'backup']),
  // The evaluation imports a market and runs the models as the services do, in one process and without a fleet.
  moduleOf(
    ['evaluation/**/*.ts'],
    ['shared', 'proto', 'quant', 'screens', 'trainer-threads', 'services', 'local', 'evaluation'],
  ),
  // These files update every schema. They may read the services' migrations and nothing else of them.
  moduleOf(['deploy/postgres/schemas.ts', 'deploy/clickhouse/schemas.ts'], ['shared', 'services']),
);
