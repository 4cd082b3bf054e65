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
  message: 'Leave a room by its #name import, not by climbing the tree.',
};
const ROOMS = ['shared', 'quant', 'proto', 'services', 'gateway', 'local', 'support'];

/** A room and what it may import by #name; tests and fixtures beside the code may import everything. */
const room = (files, allowed, more = []) => {
  const closed = ROOMS.filter((name) => !allowed.includes(name)).join('|');
  const message = `This room may import ${allowed.map((name) => `#${name}`).join(', ') || 'no other room'}.`;
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

/** Applications copy this folder: it stands alone, but for what writes its types, and runs wherever there is fetch. */
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

const service = (name) => {
  const others = SERVICES.filter((other) => other !== name).join('|');
  const message = 'Services call each other over gRPC and NATS; they never import each other.';
  return room(
    [`services/${name}/**/*.ts`],
    ['shared', 'quant', 'proto'],
    [{ regex: `^\\.\\./(${others})/`, message }],
  );
};

export default tseslint.config(
  { ignores: ['node_modules/', 'proto/gen/', 'gateway/client/gen/', '.saring/'] },
  { files: ['**/*.js'], extends: [tseslint.configs.base] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': ['error', { patterns: [CLIMBING] }],
    },
  },
  room(['services/quant/**/*.ts'], ['quant']),
  room(['services/shared/**/*.ts'], ['proto', 'shared']),
  ...SERVICES.map(service),
  room(['gateway/**/*.ts'], ['shared', 'proto', 'gateway']),
  client(['gateway/client/*.ts'], '\\.\\./'),
  client(['gateway/client/resources/*.ts'], '\\.\\./\\.\\./'),
  room(['deploy/**/*.ts'], ['shared', 'proto', 'local']),
);
