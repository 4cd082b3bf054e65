import tseslint from 'typescript-eslint';

const CLIMBING = {
  group: ['../../*'],
  message: 'Leave a room by its #name import, not by climbing the tree.',
};
const OTHER_SERVICE = {
  group: ['#services/*', '#gateway/*', '#local/*'],
  message: 'Services call each other over gRPC and NATS; they never import each other.',
};

export default tseslint.config(
  { ignores: ['node_modules/', 'proto/gen/', '.saring/'] },
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
  {
    files: ['services/**/*.ts', 'gateway/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [CLIMBING, OTHER_SERVICE] }] },
  },
);
